import { PorticoError } from '../../../base/errors';
import { foldCase, segmentsBelow } from './fileNames';
import type { GatedPath, PathGate } from './pathGate';

/**
 * The directory that a search or list keeps to. Rejects with ARGUMENTS_INVALID, naming another one where there is one, for a
 * link: lists do not follow links, and an empty answer would tell that nothing is there.
 */
export async function searchedDirectory(gate: PathGate, name: string, workspace?: string): Promise<GatedPath> {
  const directory = await gate.directory(name, workspace);
  const root = await gate.realPathOf(directory.folder.path);
  const segments = root === undefined ? undefined : segmentsBelow(root, directory.realPath, gate.platform);
  const fold = (all: readonly string[]): string => foldCase(all.join('/'), gate.platform);
  if (segments !== undefined && fold(segments) === fold(directory.segments)) {
    return directory;
  }
  const target = await gate.passing(directory.realPath);
  const next =
    target === undefined ? 'read_file reads single files of it.' : `Give the directory itself: ${gate.label(target)}.`;
  throw new PorticoError(
    'ARGUMENTS_INVALID',
    `${gate.label(directory)} is a link or below one, and is not looked through. ${next}`,
  );
}
