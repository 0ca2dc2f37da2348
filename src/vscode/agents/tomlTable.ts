import { isDeepStrictEqual } from 'node:util';
import { parse, stringify } from 'smol-toml';
import { PorticoError } from '../../base/errors';
import { isObject } from '../../base/jsonObject';

/**
 * Puts a table into a TOML text, in the place of the one of the same path or at the end; every other line stays as it is.
 * The outcome is parsed and compared: rejects with CONFIG_WRITE_FAILED where the file is written in a way that a new
 * table does not fit, such as with its servers in one inline table.
 */
export function setTomlTable(
  text: string,
  path: readonly [string, string],
  table: Readonly<Record<string, unknown>>,
): string {
  const before = read(text);
  const [section, name] = path;
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const printed = stringify({ [section]: { [name]: table } })
    .trim()
    .split('\n')
    // The section itself needs no header of its own.
    .filter((line) => line !== `[${section}]`)
    .join(eol);
  const lines = text.split(/\r?\n/);
  const range = tableLines(lines, path);
  const kept = range ? lines.slice(0, range.start) : trimEnd(lines);
  const rest = range ? lines.slice(range.end) : [];
  const head = kept.length > 0 && kept.at(-1) !== '' ? [...kept, ''] : kept;
  const tail = rest.length > 0 && rest[0] !== '' ? ['', ...rest] : rest.length > 0 ? rest : [''];
  const after = [...head, printed, ...tail].join(eol);
  const sections = before[section];
  const expected = { ...before, [section]: { ...(isObject(sections) ? sections : {}), [name]: table } };
  if (!fits(after, expected)) {
    throw new PorticoError(
      'CONFIG_WRITE_FAILED',
      `A table [${section}.${name}] cannot be added to this file without changing the rest. Copy the entry and add it by hand.`,
    );
  }
  return after;
}

function read(text: string): Readonly<Record<string, unknown>> {
  try {
    return parse(text);
  } catch (cause) {
    const [reason = ''] = cause instanceof Error ? cause.message.split('\n') : [];
    throw new PorticoError('CONFIG_WRITE_FAILED', `The file is not valid TOML (${reason}). Mend it first.`, { cause });
  }
}

function fits(text: string, expected: unknown): boolean {
  try {
    return isDeepStrictEqual(plain(parse(text)), plain(expected));
  } catch {
    // The new table collides with how the file is written.
    return false;
  }
}

/** The parser's tables have no prototype. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown;
}

/** The lines of a table and its subtables, without the comment that leads to the next one. */
function tableLines(
  lines: readonly string[],
  path: readonly [string, string],
): { readonly start: number; readonly end: number } | undefined {
  const isOwn = (line: string): boolean => {
    const header = headerOf(line);
    return header !== undefined && path.every((part, index) => header[index] === part);
  };
  const start = lines.findIndex(isOwn);
  if (start < 0) {
    return undefined;
  }
  const next = lines.findIndex((line, index) => index > start && headerOf(line) !== undefined && !isOwn(line));
  let end = next < 0 ? lines.length : next;
  while (end > start + 1 && /^\s*(#.*)?$/.test(lines[end - 1] ?? '')) {
    end--;
  }
  return { start, end };
}

/** The keys of a line like `[a."b.c"]`. */
function headerOf(line: string): readonly string[] | undefined {
  const match = /^\s*\[\s*((?:[^\]"']|"[^"]*"|'[^']*')+)\]\s*(?:#.*)?$/.exec(line);
  const keys = match?.[1]?.match(/"[^"]*"|'[^']*'|[A-Za-z0-9_-]+/g);
  return keys?.map((key) => key.replace(/^["']|["']$/g, ''));
}

function trimEnd(lines: readonly string[]): readonly string[] {
  const last = lines.findLastIndex((line) => line.trim() !== '');
  return lines.slice(0, last + 1);
}
