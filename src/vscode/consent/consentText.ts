import { shownUrl } from '../../base/shownUrl';
import type { Launch, ServerDefinition } from '../../core/config/configTypes';
import { shownWord, writtenOut } from '../interop/text';

/**
 * What consent is asked for, word by word, as `consentDigest` binds it: no values of variables and headers, which are
 * not part of it. Kept after an approval, so that the next question can show what became different.
 */
export interface LaunchWords {
  /** The command and its arguments, or the URL. */
  readonly words: readonly string[];
  /** `In /srv`, `Variables: A, B`, … */
  readonly rest: readonly string[];
}

export function launchWords(launch: Launch): LaunchWords {
  if (launch.type !== 'stdio') {
    const names = Object.keys(launch.headers);
    return { words: [shownUrl(launch.url)], rest: names.length > 0 ? [`Headers: ${names.join(', ')}`] : [] };
  }
  const variables = Object.keys(launch.env);
  return {
    words: [launch.command, ...launch.args],
    rest: [
      launch.cwd === undefined ? '' : `In: ${launch.cwd}`,
      variables.length > 0 ? `Variables: ${variables.join(', ')}` : '',
      launch.envFile === undefined ? '' : `Variables from: ${launch.envFile}`,
    ].filter(Boolean),
  };
}

/**
 * The lines of a consent question: the whole command with what is new since `before` marked as «new», and a line that
 * names what went. Invisible characters are written out, since they could hide what runs.
 */
export function consentLines(definition: ServerDefinition, before?: LaunchWords): readonly string[] {
  const now = launchWords(definition.launch);
  const gone = before
    ? [...before.words, ...before.rest].filter((word) => ![...now.words, ...now.rest].includes(word))
    : [];
  const known = before && new Set(before.words);
  const command = now.words
    .map((word) => (known && !known.has(word) ? `«${shownWord(word)}»` : shownWord(word)))
    .join(' ');
  const rest = now.rest.map((line) =>
    before && !before.rest.includes(line) ? `«${writtenOut(line)}»` : writtenOut(line),
  );
  const moved = before && gone.length === 0 && before.words.join('\0') !== now.words.join('\0');
  return [
    command,
    ...rest,
    ...(gone.length > 0 ? [`Before: ${gone.map(shownWord).join(' ')}`] : []),
    ...(moved ? ['The order of the words has changed.'] : []),
  ];
}
