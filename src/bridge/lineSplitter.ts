import { StringDecoder } from 'node:string_decoder';

/**
 * Cuts a stream into lines at line feeds alone: Node's readline also cuts at U+2028, which JSON allows in texts. Only the
 * new chunk is searched, however long a line is.
 */
export class LineSplitter {
  private readonly decoder = new StringDecoder('utf8');
  private readonly pieces: string[] = [];
  /** Of the line so far, in characters. */
  private length = 0;

  /** A line of more characters than `longest` is thrown away as it comes, and `onTooLong` told at its end. */
  constructor(
    private readonly onLine: (line: string) => void,
    private readonly longest = Infinity,
    private readonly onTooLong: () => void = () => undefined,
  ) {}

  /** The stream is over: what is left is a line too. */
  end(): void {
    this.take(this.decoder.end());
    if (this.length > 0) {
      this.give();
    }
  }

  push(chunk: Buffer): void {
    const parts = this.decoder.write(chunk).split('\n');
    for (const [index, part] of parts.entries()) {
      this.take(part);
      if (index < parts.length - 1) {
        this.give();
      }
    }
  }

  private take(part: string): void {
    this.length += part.length;
    this.pieces.push(part);
    if (this.length > this.longest) {
      this.pieces.length = 0;
    }
  }

  private give(): void {
    const isTooLong = this.length > this.longest;
    const line = this.pieces.splice(0).join('');
    this.length = 0;
    if (isTooLong) {
      this.onTooLong();
    } else {
      this.onLine(line.endsWith('\r') ? line.slice(0, -1) : line);
    }
  }
}
