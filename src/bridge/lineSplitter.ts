import { StringDecoder } from 'node:string_decoder';

/**
 * Cuts a stream into lines at line feeds alone: Node's readline also cuts at U+2028, which JSON allows in texts. Only the
 * new chunk is searched, however long a line is.
 */
export class LineSplitter {
  private readonly decoder = new StringDecoder('utf8');
  private readonly pieces: string[] = [];

  constructor(private readonly onLine: (line: string) => void) {}

  push(chunk: Buffer): void {
    const parts = this.decoder.write(chunk).split('\n');
    for (const [index, part] of parts.entries()) {
      this.pieces.push(part);
      if (index < parts.length - 1) {
        const line = this.pieces.splice(0).join('');
        this.onLine(line.endsWith('\r') ? line.slice(0, -1) : line);
      }
    }
  }
}
