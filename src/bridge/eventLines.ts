import { LineSplitter } from './lineSplitter';

/** Reads a stream of server-sent events and gives the data of each; comments and other fields are passed over. */
export class EventLines {
  private readonly lines = new LineSplitter((line) => this.line(line));
  private data: string[] = [];

  constructor(private readonly onData: (data: string) => void) {}

  push(chunk: Buffer): void {
    this.lines.push(chunk);
  }

  private line(line: string): void {
    if (line.startsWith('data:')) {
      this.data.push(line.slice(line.startsWith('data: ') ? 6 : 5));
    } else if (line === '' && this.data.length > 0) {
      this.onData(this.data.splice(0).join('\n'));
    }
  }
}
