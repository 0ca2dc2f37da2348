const NEWLINE = 0x0a;
const BYTE_ORDER_MARK = 0xfeff;
/** A line above this many bytes is not made a text at once. */
const LONG = 262_144;
const SHOWN = 4_000;

/**
 * Cuts a byte stream into lines. Chunks are kept as they came and joined once per line, and only the new chunk is
 * searched, so a long line costs linear time; decoding whole lines keeps characters that a chunk border cuts.
 */
export class LineReader {
  private pending: Buffer[] = [];
  private size = 0;
  private full = false;

  constructor(
    private readonly limit: number,
    /** A long line comes as its bytes. */
    private readonly onLine: (line: string | Buffer) => void,
    private readonly onTooLong: () => void,
  ) {}

  push(chunk: Buffer): void {
    let from = 0;
    while (!this.full) {
      const end = chunk.indexOf(NEWLINE, from);
      if (this.size + (end < 0 ? chunk.length : end) - from > this.limit) {
        this.full = true;
        this.pending = [];
        this.onTooLong();
        return;
      }
      if (end < 0) {
        if (from < chunk.length) {
          this.pending.push(from === 0 ? chunk : chunk.subarray(from));
          this.size += chunk.length - from;
        }
        return;
      }
      this.emit(chunk, from, end);
      from = end + 1;
    }
  }

  /** The beginning of what came after the last line. */
  rest(): string {
    const [first] = this.pending;
    return first?.toString('utf8', 0, SHOWN) ?? '';
  }

  /** The stream has ended: what came after the last line is one too. */
  end(): void {
    if (this.size > 0) {
      this.emit(Buffer.alloc(0), 0, 0);
    }
  }

  private emit(chunk: Buffer, from: number, end: number): void {
    let line: string;
    if (this.size === 0) {
      line = chunk.toString('utf8', from, end);
    } else {
      this.pending.push(chunk.subarray(from, end));
      const bytes = Buffer.concat(this.pending);
      this.pending = [];
      this.size = 0;
      if (bytes.length > LONG) {
        this.onLine(bytes);
        return;
      }
      line = bytes.toString('utf8');
    }
    this.onLine(line.charCodeAt(0) === BYTE_ORDER_MARK ? line.slice(1) : line);
  }
}
