import { PorticoError } from '../../../base/errors';
import type { EditorParts } from '../editorParts';
import type { ChangedFile } from '../editorTypes';
import { fileUri, pathsOf } from '../files/fileNames';
import { diffSections } from './unifiedDiff';

export interface ChangeItem {
  readonly file: string;
  readonly uri: string;
  readonly status: ChangedFile['status'];
  readonly staged: boolean;
}

/** Files that are changed and not committed. Rejects with NOT_SUPPORTED where no Git extension is there. */
export async function changedFiles({ ports, files }: EditorParts): Promise<readonly ChangeItem[]> {
  const changes = await ports.git.changes();
  if (changes === undefined) {
    throw new PorticoError('NOT_SUPPORTED', "The editor's Git extension is not there or off.");
  }
  const items = await Promise.all(
    changes.map(async ({ uri, status, isStaged }): Promise<readonly ChangeItem[]> => {
      const file = await files.passing(uri);
      return file === undefined ? [] : [{ file: file.label, uri: file.uri, status, staged: isStaged }];
    }),
  );
  return items
    .flat()
    .sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : Number(a.staged) - Number(b.staged)));
}

/**
 * The diff of what is not committed, as far as it may be given: parts whose files are secret or outside the workspace, under
 * their old name or their new one, and parts that are not understood, are left out and counted.
 */
export async function allowedDiff({
  ports,
  files,
}: EditorParts): Promise<{ readonly diff: string; readonly leftOut: number }> {
  const { join } = pathsOf(files.platform);
  const isGiven = async (root: string, names: readonly string[]): Promise<boolean> => {
    const passed = await Promise.all(names.map((name) => files.passing(fileUri(join(root, name), files.platform))));
    return passed.every((file) => file !== undefined);
  };
  const sections = await Promise.all(
    ((await ports.git.diffs()) ?? []).flatMap(({ root, text }) =>
      diffSections(text).map(async (section) => ({
        text: section.text,
        given: section.names !== undefined && (await isGiven(root, section.names)),
      })),
    ),
  );
  const given = sections.filter((section) => section.given);
  return { diff: given.map(({ text }) => text).join(''), leftOut: sections.length - given.length };
}
