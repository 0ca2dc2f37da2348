import { largerThan, roomLeft } from './jsonSize';
import { TimeSlices } from './timeSlices';

/** What is given to `JSON.stringify` at once, roughly, in characters: well below a millisecond of work. */
const PIECE = 32_768;

type Fields = Readonly<Record<string, unknown>>;

/** An object or array that is being written. */
interface Level {
  readonly value: readonly unknown[] | Fields;
  /** Of an object's members; nothing for a list. */
  readonly names: readonly string[] | undefined;
  readonly count: number;
  next: number;
  /** Nothing of it has been written. */
  isFresh: boolean;
}

/** What `JSON.stringify` makes of plain JSON data, in pieces that are short each. */
export function* jsonPieces(value: unknown): Generator<string, void, void> {
  if (!largerThan(value, PIECE)) {
    yield JSON.stringify(value) ?? 'null';
    return;
  }
  const levels: Level[] = [];
  yield* begin(value, levels);
  for (let level = levels.at(-1); level; level = levels.at(-1)) {
    if (level.next === level.count) {
      yield level.names ? '}' : ']';
      levels.pop();
      continue;
    }
    const run = nextRun(level);
    if (run !== undefined) {
      yield run;
      continue;
    }
    const name = level.names?.[level.next];
    yield separator(level) + (name === undefined ? '' : `${JSON.stringify(name)}:`);
    const member = memberOf(level, level.next);
    level.next += 1;
    yield* begin(member, levels);
  }
}

/** The same as UTF-8, so that everything else has its turn meanwhile. */
export async function* jsonBuffers(value: unknown, slices = new TimeSlices()): AsyncGenerator<Buffer, void, void> {
  let text = '';
  for (const piece of jsonPieces(value)) {
    text += piece;
    if (text.length >= PIECE) {
      yield Buffer.from(text);
      text = '';
    }
    if (slices.over) {
      await slices.next();
    }
  }
  yield Buffer.from(text);
}

/** `JSON.stringify` of a long value, so that everything else has its turn meanwhile. */
export async function stringifyInSlices(value: unknown): Promise<readonly Buffer[]> {
  const buffers: Buffer[] = [];
  for await (const buffer of jsonBuffers(value)) {
    buffers.push(buffer);
  }
  return buffers;
}

/** The beginning of a value's JSON; no more of it is written than that takes. */
export function jsonStart(value: unknown, length: number): string {
  let text = '';
  for (const piece of jsonPieces(value)) {
    text += piece;
    if (text.length >= length) {
      break;
    }
  }
  return text.slice(0, length);
}

/** The beginning of an object or array; any other value whole. */
function* begin(value: unknown, levels: Level[]): Generator<string, void, void> {
  if (typeof value === 'string') {
    yield* stringPieces(value);
    return;
  }
  if (typeof value !== 'object' || value === null) {
    // One with a long name.
    yield JSON.stringify(value) ?? 'null';
    return;
  }
  const container = value as Level['value'];
  const names = Array.isArray(container) ? undefined : Object.keys(container);
  const count = names?.length ?? (container as readonly unknown[]).length;
  levels.push({ value: container, names, count, next: 0, isFresh: true });
  yield names ? '{' : '[';
}

function* stringPieces(text: string): Generator<string, void, void> {
  yield '"';
  for (let from = 0; from < text.length;) {
    // Not between the halves of one character.
    const end = from + PIECE - (/[\ud800-\udbff]/.test(text[from + PIECE - 1] ?? '') ? 1 : 0);
    yield JSON.stringify(text.slice(from, end)).slice(1, -1);
    from = end;
  }
  yield '"';
}

/** The members from the next one on that are small together; nothing where that one is large by itself. */
function nextRun(level: Level): string | undefined {
  const { names, count, next, value } = level;
  let left = PIECE;
  let end = next;
  while (end < count) {
    left = roomLeft(memberOf(level, end), left - (names?.[end]?.length ?? 0));
    if (left < 0) {
      break;
    }
    end += 1;
  }
  if (end === next) {
    return undefined;
  }
  const members = names
    ? Object.fromEntries(names.slice(next, end).map((name) => [name, (value as Fields)[name]]))
    : (value as readonly unknown[]).slice(next, end);
  level.next = end;
  const text = JSON.stringify(members).slice(1, -1);
  // Members that are undefined are left out.
  return text === '' ? '' : separator(level) + text;
}

function memberOf({ names, value }: Level, index: number): unknown {
  return names ? (value as Fields)[names[index] ?? ''] : (value as readonly unknown[])[index];
}

function separator(level: Level): string {
  const text = level.isFresh ? '' : ',';
  level.isFresh = false;
  return text;
}
