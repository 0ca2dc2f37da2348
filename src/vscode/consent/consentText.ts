import type { Launch, ServerDefinition } from '../../core/config/configTypes';

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
    return { words: [launch.url], rest: names.length > 0 ? [`Headers: ${names.join(', ')}`] : [] };
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
  const command = now.words.map((word) => (known && !known.has(word) ? `«${quoted(word)}»` : quoted(word))).join(' ');
  const rest = now.rest.map((line) => (before && !before.rest.includes(line) ? `«${visible(line)}»` : visible(line)));
  const moved = before && gone.length === 0 && before.words.join('\0') !== now.words.join('\0');
  return [
    command,
    ...rest,
    ...(gone.length > 0 ? [`Before: ${gone.map(quoted).join(' ')}`] : []),
    ...(moved ? ['The order of the words has changed.'] : []),
  ];
}

function quoted(word: string): string {
  return /^[\w@%+=:,./\\${}~-]+$/.test(word) ? word : JSON.stringify(visible(word));
}

/** Writes characters out that would not be seen, or would turn the text's direction. */
function visible(text: string): string {
  return text.replace(
    /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff]/gu,
    (char) => `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
}
