import { PorticoError } from '../../../base/errors';
import type { EditorParts } from '../editorParts';
import type { ChangedFile } from '../editorTypes';

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
  const items = changes.flatMap((change): ChangeItem[] => {
    const file = files.ofUri(change.uri);
    return file === undefined
      ? []
      : [{ file: file.label, uri: file.uri, status: change.status, staged: change.isStaged }];
  });
  return items.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : Number(a.staged) - Number(b.staged)));
}

/** The diff of those files alone: what is secret or elsewhere in the repository is left out and counted. */
export async function diffOf(
  parts: EditorParts,
  items: readonly ChangeItem[],
): Promise<{ readonly diff: string; readonly leftOut: number }> {
  const whole = (await parts.ports.git.diff()) ?? '';
  const paths = items.map(({ uri }) => decodeURIComponent(uri));
  const sections = whole.split(/^(?=diff --git )/m).filter((section) => section.startsWith('diff --git '));
  const given = sections.filter((section) =>
    namesOf(section).every((name) => paths.some((path) => path.endsWith(`/${name}`))),
  );
  return { diff: given.join(''), leftOut: sections.length - given.length };
}

/** The paths of a section, below the root of the repository; of a file that is new or gone, the one that it has. */
function namesOf(section: string): readonly string[] {
  const named = [...section.matchAll(/^(?:---|\+\+\+) (?:[ab]\/)?(.*?)\t?$/gm)].flatMap(([, name]) =>
    name === undefined || name === '/dev/null' ? [] : [name],
  );
  const [, header] = /^diff --git a\/.* b\/(.*)$/m.exec(section) ?? [];
  const found = named.length > 0 ? named.slice(0, 2) : [header ?? ''];
  return section.includes('\nrename to ') ? found.slice(-1) : found;
}
