const SLASH = 0x2f;
const SEPARATOR = '\0';

/**
 * Paths as they are looked for: in small letters, one after another in UTF-16 with a NUL after each, so that a query goes
 * over memory and not over a hundred thousand strings. The letters and digits of each name are there as bits: what lacks
 * one of the query's does not have the query.
 */
export class SoughtPaths {
  readonly units: Uint16Array;
  /** Where each path begins, and where one more would. */
  readonly starts: Uint32Array;
  /** Where the last name of each begins. */
  readonly names: Uint32Array;
  /** Of the last name of each. */
  readonly letters: Int32Array;
  /** Where the paths of one directory in a row begin, by their number, and where one more would. */
  readonly rows: readonly number[];

  constructor(paths: readonly string[]) {
    // Nothing but a NUL would be a path of no letters.
    const text = paths.length === 0 ? '' : paths.join(SEPARATOR) + SEPARATOR;
    this.units = unitsOf(text.toLowerCase());
    this.starts = new Uint32Array(paths.length + 1);
    this.names = new Uint32Array(paths.length);
    this.letters = new Int32Array(paths.length);
    this.rows = this.measure();
  }

  get count(): number {
    return this.names.length;
  }

  /** Fills in what is known of each path; gives where the rows begin. */
  private measure(): readonly number[] {
    const { units, starts, names, letters } = this;
    const rows: number[] = [];
    let [path, name, bits] = [0, 0, 0];
    for (let at = 0; at < units.length; at += 1) {
      const unit = units[at] ?? 0;
      if (unit === 0) {
        names[path] = name;
        letters[path] = bits;
        if (!this.isInRow(path)) {
          rows.push(path);
        }
        path += 1;
        starts[path] = at + 1;
        [name, bits] = [at + 1, 0];
      } else if (unit === SLASH) {
        [name, bits] = [at + 1, 0];
      } else {
        bits |= bitOf(unit);
      }
    }
    return [...rows, path];
  }

  /** Whether a path lies in the directory of the one before. */
  private isInRow(path: number): boolean {
    const from = this.starts[path - 1] ?? 0;
    const to = this.starts[path] ?? 0;
    const length = (this.names[path] ?? 0) - to;
    if (path === 0 || (this.names[path - 1] ?? 0) - from !== length) {
      return false;
    }
    for (let at = length - 1; at >= 0; at -= 1) {
      if (this.units[from + at] !== this.units[to + at]) {
        return false;
      }
    }
    return true;
  }
}

export function unitsOf(text: string): Uint16Array {
  const bytes = Buffer.from(text, 'utf16le');
  // What is short lies in memory of others, at any place.
  return bytes.byteOffset % 2 === 0
    ? new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2)
    : new Uint16Array(Uint8Array.from(bytes).buffer);
}

/** The bits of a query from one of its places on. */
export function lettersOf(units: Uint16Array, from = 0): number {
  let bits = 0;
  for (let at = from; at < units.length; at += 1) {
    bits |= bitOf(units[at] ?? 0);
  }
  return bits;
}

/** One for each letter, and one for each two digits. */
function bitOf(unit: number): number {
  if (unit >= 97 && unit <= 122) {
    return 1 << (unit - 97);
  }
  return unit >= 48 && unit <= 57 ? 1 << (26 + ((unit - 48) >> 1)) : 0;
}
