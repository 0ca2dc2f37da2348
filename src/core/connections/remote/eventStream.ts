const CR = 13;
const LF = 10;

/**
 * Makes an event stream's line ends plain LF while its bytes pass through: the SDK's parser waits for ever on CR alone.
 * Byte-wise, because CR and LF are never part of a longer UTF-8 character. Throws above `limit` bytes in one event.
 */
export class EventStreamCleaner {
  private lastWasCr = false;
  private lastWasLf = false;
  private eventBytes = 0;

  constructor(
    private readonly limit: number,
    private readonly tooLarge: () => Error,
  ) {}

  /** Whether an event has begun that no empty line has ended. */
  get hasRest(): boolean {
    return this.eventBytes > 0;
  }

  clean(chunk: Buffer): Buffer {
    const lines = this.lastWasCr || chunk.includes(CR) ? this.toLf(chunk) : chunk;
    this.measure(lines);
    return lines;
  }

  private toLf(chunk: Buffer): Buffer {
    const out = Buffer.allocUnsafe(chunk.length);
    let length = 0;
    for (const byte of chunk) {
      if (byte === LF && this.lastWasCr) {
        // The second half of CRLF; its CR has been written as LF.
        this.lastWasCr = false;
        continue;
      }
      this.lastWasCr = byte === CR;
      out[length] = this.lastWasCr ? LF : byte;
      length += 1;
    }
    return out.subarray(0, length);
  }

  /** An event ends at an empty line. */
  private measure(chunk: Buffer): void {
    if (chunk.length === 0) {
      return;
    }
    const end = chunk.lastIndexOf('\n\n');
    if (end >= 0) {
      this.eventBytes = chunk.length - end - 2;
    } else if (this.lastWasLf && chunk[0] === LF) {
      this.eventBytes = chunk.length - 1;
    } else {
      this.eventBytes += chunk.length;
    }
    this.lastWasLf = chunk[chunk.length - 1] === LF;
    if (this.eventBytes > this.limit) {
      throw this.tooLarge();
    }
  }
}
