/**
 * Reads dotenv text: `NAME=value` by line, `export` in front allowed, `#` comments, values in single, double or back
 * quotes, which may run over lines; in double quotes `\n`, `\t`, `\"` and the like are read as what they stand for.
 */
export function parseEnvFile(text: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  const line =
    /^[^\S\n]*(?:export[^\S\n]+)?([\w.-]+)[^\S\n]*=[^\S\n]*(?:'([^']*)'|"((?:\\[^]|[^"\\])*)"|`([^`]*)`|([^\n]*))/gm;
  for (const [, name, single, double, back, bare] of text
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
    .matchAll(line)) {
    if (name !== undefined) {
      values.set(name, single ?? (double === undefined ? undefined : unescape(double)) ?? back ?? plain(bare ?? ''));
    }
  }
  return values;
}

/** A comment behind a bare value begins with a space and a `#`. */
function plain(value: string): string {
  return value.replace(/(^|\s)#.*$/, '').trim();
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

function unescape(value: string): string {
  return value.replace(/\\([^])/g, (_, letter: string) =>
    '"\\$'.includes(letter) ? letter : (escapes[letter] ?? `\\${letter}`),
  );
}
