import type { ConfigProblem } from '../../core/config/configTypes';
import { plainLine } from '../interop/text';

/** A problem's sentence without the server and source that its row names already. */
export function problemText({ message, key, source }: ConfigProblem): string {
  const known = [`Server "${key ?? ''}" in ${source.label} `, `${source.label} `];
  const start = known.find((words) => message.startsWith(words));
  return plainLine(start === undefined ? message : message.slice(start.length), 300);
}

/** What is wrong, with the telling words in front, as a narrow view cuts the rest; what to do about it is in the tooltip. */
export function problemInShort(text: string): string {
  const [what = text] = /^(?:"(?:[^"\\]|\\.)*"|[^":]|:(?! ))+/.exec(text) ?? [];
  const telling = what.replace(/^has (?:the |an |a )?/, '').replace(/\.$/, '');
  return `${telling.charAt(0).toUpperCase()}${telling.slice(1)}`;
}
