import { PorticoError } from '../../../base/errors';
import { quoted } from '../../../base/quoted';
import { RefusedError } from '../../refusedError';
import type { WorkspaceFolderInfo } from '../editorTypes';

export function missing(label: string): PorticoError {
  return new PorticoError(
    'RESOURCE_UNKNOWN',
    `There is no ${quoted(label)} in the workspace. find_files finds files by a part of their names.`,
  );
}

export function secret(name: string): PorticoError {
  return new RefusedError(`${quoted(name)} is on the list of secret files, which are not given out.`);
}

export function outside(name: string, folders: readonly WorkspaceFolderInfo[]): PorticoError {
  return new RefusedError(
    `${quoted(name)} is not in the workspace, or leads out of it. Its folders are: ${folders.map(({ path }) => path).join(', ')}.`,
  );
}
