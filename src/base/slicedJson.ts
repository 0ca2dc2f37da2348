import { rememberLength } from './jsonSize';
import { TimeSlices } from './timeSlices';

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const UNICODE_ESCAPE = 0x75;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** What is given to `JSON.parse` at once, roughly, in bytes: well below a millisecond of work. */
const PIECE = 65_536;
/** Between two looks at the clock. */
const WINDOW = 131_072;
/** A list is gathered in parts of about so many entries: one that grew entry by entry would be copied again and again. */
const PART = 4_096;
type Fields = Record<string, unknown>;

/** How deep values may be nested, and what stands for an object or array below that. */
export interface DepthBound {
  readonly levels: number;
  readonly standIn: unknown;
}

/** An object or array around the place that is read. */
interface Level {
  readonly open: number;
  readonly isList: boolean;
  /** What has been read of it; nothing while it may still be small enough to be read in one go. */
  read: Parts | Fields | undefined;
  /** Where the text begins that has not been read, and its last comma; -1 for none. */
  from: number;
  comma: number;
  /** The last member has been read by itself: a comma or the end must follow. */
  afterLarge: boolean;
}

/** The entries of a list. */
class Parts {
  private full: unknown[][] | undefined;
  private last: unknown[] = [];

  push(value: unknown): void {
    if (this.last.length >= PART) {
      this.next([]);
    }
    this.last.push(value);
  }

  pushAll(values: unknown[]): void {
    if (values.length < PART) {
      values.forEach((value) => this.push(value));
    } else {
      this.next(values);
    }
  }

  private next(part: unknown[]): void {
    this.full ??= [];
    this.full.push(this.last);
    this.last = part;
  }

  joined(): unknown[] {
    return this.full ? ([] as unknown[]).concat(...this.full, this.last) : this.last;
  }
}

/**
 * `JSON.parse` of a long text in slices, so that everything else has its turn meanwhile. The members of large objects and
 * arrays, and the pieces of long strings, are given to `JSON.parse` some at a time; so it is as strict, but for what is nested
 * too deeply to be kept, of which only the brackets are counted. UTF-8; the top must be an object or an array.
 */
export async function parseInSlices(bytes: Buffer, bound: DepthBound, slices = new TimeSlices()): Promise<unknown> {
  const parser = new SlicedParser(bytes, bound);
  while (parser.step()) {
    if (slices.over) {
      await slices.next();
    }
  }
  return parser.result;
}

class SlicedParser {
  private readonly levels: Level[] = [];
  private pos = 0;
  /** Where the string begins that is being read; -1 outside. */
  private string = -1;
  /** The beginning of it that has been read, and where the rest begins; nothing while it may still be small. */
  private beginning: string | undefined;
  private piece = 0;
  /** The next quote, as far as it has been looked for. */
  private quote = -1;
  private root: { readonly value: unknown } | undefined;
  /** What is too deep: how many brackets are open in it, where it began, and whether a string is open. */
  private tooDeep = 0;
  private tooDeepFrom = 0;
  private quoted = false;

  constructor(
    private readonly bytes: Buffer,
    private readonly bound: DepthBound,
  ) {
    // A byte order mark is no part of the text.
    this.pos = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  }

  get result(): unknown {
    if (!this.root || this.levels.length > 0 || this.string >= 0 || this.tooDeep > 0) {
      throw new SyntaxError('Unexpected end of JSON input');
    }
    return this.root.value;
  }

  /** Reads on for a while; false at the end of the text. */
  step(): boolean {
    const { bytes } = this;
    const end = Math.min(this.pos + WINDOW, bytes.length);
    while (this.pos < end) {
      if (this.tooDeep > 0) {
        this.skip(end);
        continue;
      }
      if (this.string >= 0) {
        this.readString(end);
        continue;
      }
      const byte = bytes[this.pos];
      switch (byte) {
        case QUOTE:
          this.expectInside();
          this.string = this.pos;
          this.pos += 1;
          this.piece = this.pos;
          break;
        case OPEN_LIST:
        case OPEN_OBJECT:
          this.enter(byte === OPEN_LIST);
          break;
        case CLOSE_LIST:
        case CLOSE_OBJECT:
          this.leave(byte === CLOSE_LIST);
          break;
        case COMMA:
          this.separate();
          break;
        default:
          if (this.levels.length === 0) {
            this.expectBlank(this.pos, this.pos + 1);
          }
          this.pos += 1;
      }
    }
    return this.pos < bytes.length;
  }

  private readString(end: number): void {
    const { bytes } = this;
    if (this.beginning !== undefined && this.readsOn()) {
      return;
    }
    // Faster than a look at every byte, which is for strings with quotes in them.
    const quote = this.nextQuote();
    if (quote < end && bytes[quote - 1] !== BACKSLASH) {
      this.endString(quote);
      return;
    }
    let { pos } = this;
    while (pos < end) {
      const byte = bytes[pos];
      if (byte === QUOTE) {
        this.endString(pos);
        return;
      }
      pos += byte !== BACKSLASH ? 1 : bytes[pos + 1] === UNICODE_ESCAPE ? 6 : 2;
    }
    this.pos = this.borderFrom(pos);
    if (this.pos - this.piece >= PIECE) {
      this.readPiece(this.pos);
    }
  }

  /** The first quote at or behind the reader, escaped or not. */
  private nextQuote(): number {
    if (this.quote < this.pos) {
      const found = this.bytes.indexOf(QUOTE, this.pos);
      this.quote = found < 0 ? this.bytes.length : found;
    }
    return this.quote;
  }

  /** Reads the next piece of a string that is long, without a look for its end; false where that is in it. */
  private readsOn(): boolean {
    const end = this.borderBehind(this.pos + PIECE);
    if (end >= this.bytes.length) {
      return false;
    }
    try {
      this.readPiece(end);
    } catch {
      // It ends here, or is none: to be looked at byte by byte.
      return false;
    }
    this.pos = end;
    return true;
  }

  /** The first place from there on that is in no escape and in no character. */
  private borderBehind(place: number): number {
    const { bytes } = this;
    // An escape that goes beyond the place begins at most five bytes before it.
    let pos = place - 5;
    let escapes = pos;
    while (bytes[escapes - 1] === BACKSLASH && escapes > this.piece) {
      escapes -= 1;
    }
    pos -= (pos - escapes) % 2;
    while (pos < place) {
      pos += bytes[pos] !== BACKSLASH ? 1 : bytes[pos + 1] === UNICODE_ESCAPE ? 6 : 2;
    }
    return this.borderFrom(pos);
  }

  private borderFrom(pos: number): number {
    let border = pos;
    while (((this.bytes[border] ?? 0) & 0xc0) === 0x80) {
      border += 1;
    }
    return border;
  }

  private readPiece(end: number): void {
    const piece = String(JSON.parse(`"${this.text(this.piece, end)}"`));
    this.beginning = (this.beginning ?? '') + piece;
    this.piece = end;
  }

  private endString(quote: number): void {
    const start = this.string;
    this.string = -1;
    this.pos = quote + 1;
    if (this.beginning === undefined) {
      return;
    }
    this.readPiece(quote);
    const value = this.beginning;
    this.beginning = undefined;
    if (!this.isKey()) {
      this.add(value, start);
    }
  }

  /** Whether a colon follows; a long key is read with its neighbours. */
  private isKey(): boolean {
    let next = this.pos;
    while (isBlank(this.bytes[next])) {
      next += 1;
    }
    return this.bytes[next] === 0x3a;
  }

  private expectInside(): void {
    if (this.levels.length === 0) {
      this.fail(this.pos);
    }
  }

  private enter(isList: boolean): void {
    if (this.levels.length === 0 && this.root) {
      this.fail(this.pos);
    }
    if (this.levels.length === this.bound.levels) {
      this.tooDeep = 1;
      this.tooDeepFrom = this.pos;
      this.pos += 1;
      return;
    }
    this.levels.push({ open: this.pos, isList, read: undefined, from: this.pos + 1, comma: -1, afterLarge: false });
    this.pos += 1;
  }

  /** Passes by what is too deep. */
  private skip(end: number): void {
    const { bytes } = this;
    let { pos } = this;
    while (pos < end && this.tooDeep > 0) {
      const byte = bytes[pos];
      pos += 1;
      if (byte === QUOTE) {
        this.quoted = !this.quoted;
      } else if (this.quoted) {
        pos += byte === BACKSLASH ? 1 : 0;
      } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
        this.tooDeep += 1;
      } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
        this.tooDeep -= 1;
      }
    }
    this.pos = pos;
    if (this.tooDeep === 0) {
      this.add(this.bound.standIn, this.tooDeepFrom);
    }
  }

  private separate(): void {
    const level = this.levels.at(-1) ?? this.fail(this.pos);
    if (level.afterLarge) {
      this.expectBlank(level.from, this.pos);
      level.afterLarge = false;
      level.from = this.pos + 1;
    } else if (this.pos - level.from > PIECE) {
      this.readMembers(level, this.pos);
    } else {
      level.comma = this.pos;
    }
    this.pos += 1;
  }

  private leave(isList: boolean): void {
    const level = this.levels.pop() ?? this.fail(this.pos);
    if (level.isList !== isList) {
      this.fail(this.pos);
    }
    if (level.afterLarge) {
      this.expectBlank(level.from, this.pos);
    } else if (level.read) {
      this.readMembers(level, this.pos);
    }
    this.pos += 1;
    const length = this.pos - level.open;
    if (level.read || this.levels.length === 0 || length > PIECE) {
      const value = level.read
        ? level.read instanceof Parts
          ? level.read.joined()
          : level.read
        : (JSON.parse(this.text(level.open, this.pos)) as object);
      if (length > PIECE) {
        rememberLength(value, length);
      }
      this.add(value, level.open);
    }
  }

  /** Takes a value that has been read by itself, from `start` to where the reader is, into what holds it. */
  private add(value: unknown, start: number): void {
    const level = this.levels.at(-1);
    if (!level) {
      this.root = { value };
      return;
    }
    if (level.afterLarge) {
      this.fail(start);
    }
    if (level.comma >= 0) {
      this.readMembers(level, level.comma);
    }
    level.read ??= level.isList ? new Parts() : {};
    if (level.read instanceof Parts) {
      this.expectBlank(level.from, start);
      level.read.push(value);
    } else {
      const [key, ...more] = Object.keys(this.parseMembers(level, level.from, start, '0'));
      if (key === undefined || more.length > 0) {
        this.fail(start);
      }
      define(level.read, key, value);
    }
    level.afterLarge = true;
    level.from = this.pos;
    level.comma = -1;
  }

  /** Reads the members up to `end`, where a comma or the end of the level is. */
  private readMembers(level: Level, end: number): void {
    const members = this.parseMembers(level, level.from, end, '');
    level.read ??= level.isList ? new Parts() : {};
    let count = 0;
    if (level.read instanceof Parts && Array.isArray(members)) {
      count = members.length;
      level.read.pushAll(members);
    } else {
      for (const [key, value] of Object.entries(members)) {
        count += 1;
        define(level.read as Fields, key, value);
      }
    }
    if (count === 0) {
      this.fail(end);
    }
    level.from = end + 1;
    level.comma = -1;
  }

  private parseMembers({ isList }: Level, from: number, end: number, rest: string): unknown[] | Fields {
    const text = this.text(from, end) + rest;
    return JSON.parse(isList ? `[${text}]` : `{${text}}`) as unknown[] | Fields;
  }

  private text(from: number, end: number): string {
    return this.bytes.toString('utf8', from, end);
  }

  private expectBlank(from: number, end: number): void {
    for (let pos = from; pos < end; pos += 1) {
      if (!isBlank(this.bytes[pos])) {
        this.fail(pos);
      }
    }
  }

  private fail(pos: number): never {
    throw new SyntaxError(`Unexpected token in JSON at byte ${pos}`);
  }
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** As `JSON.parse` does: `__proto__` is a name like any other. */
function define(target: Fields, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    target[key] = value;
  }
}
