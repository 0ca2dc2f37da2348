const NEWLINE = 0x0a;
const BYTE_ORDER_MARK = 0xfeff;

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
    private readonly onLine: (line: string) => void,
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

  private emit(chunk: Buffer, from: number, end: number): void {
    let line: string;
    if (this.size === 0) {
      line = chunk.toString('utf8', from, end);
    } else {
      this.pending.push(chunk.subarray(from, end));
      line = Buffer.concat(this.pending).toString('utf8');
      this.pending = [];
      this.size = 0;
    }
    this.onLine(line.charCodeAt(0) === BYTE_ORDER_MARK ? line.slice(1) : line);
  }
}
