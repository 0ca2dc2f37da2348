import { distinctNames, nameHash } from './distinctNames';

/** The editor's own mangling of tool names: `.` and `/` become `_`. It tells names apart by what is left. */
function afterEditor(name: string): string {
  return name.replace(/[./]/g, '_').toLowerCase();
}

/**
 * The names of one server's tools in its definition of the editor's chat: as the server has them where they fit 46 characters
 * (the editor adds up to 18 and cuts at 64) and stay distinct after the editor's mangling; else shortened, with a hash.
 */
export function chatNames(tools: Iterable<string>): ReadonlyMap<string, string> {
  return distinctNames(tools, {
    limit: 46,
    salt: '',
    form: (tool) => tool.replace(/[^A-Za-z0-9_./-]/g, '_'),
    fold: afterEditor,
    exact: (tool) => /^[A-Za-z0-9_-]*$/.test(tool),
  });
}

/** The editor takes at most this much of a definition's title into its tools' names. */
const titleLength = 13;

function titleOf(key: string): string {
  return key
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '_')
    .slice(0, titleLength);
}

/**
 * The label of each server's definition in the editor's chat, by key: the key where its first 13 characters are its own after the
 * editor's mangling, else the key's beginning with a hash. Twins (one key in two sources) share a label on purpose.
 */
export function chatLabels(keys: Iterable<string>): ReadonlyMap<string, string> {
  const groups = new Map<string, string[]>();
  for (const key of [...new Set(keys)].sort()) {
    const title = titleOf(key);
    groups.set(title, [...(groups.get(title) ?? []), key]);
  }
  const labels = new Map<string, string>();
  const shortened: string[] = [];
  for (const [title, group] of groups) {
    const owner = group.length === 1 ? group[0] : group.find((key) => key === title);
    for (const key of group) {
      if (key === owner) {
        labels.set(key, key);
      } else {
        shortened.push(key);
      }
    }
  }
  const used = new Set([...labels.values()].map(titleOf));
  for (const key of shortened) {
    let label: string;
    let round = 0;
    do {
      label = `${key.slice(0, titleLength - 5)}-${nameHash(`${key}\0${round}`, 4)}`;
      round += 1;
    } while (used.has(titleOf(label)));
    used.add(titleOf(label));
    labels.set(key, label);
  }
  return labels;
}
