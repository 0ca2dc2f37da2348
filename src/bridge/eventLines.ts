import { LARGEST_BODY_BYTES } from '../server/serverTypes';
import { LineSplitter } from './lineSplitter';

/** In bytes: no answer of a window is near this size, and a stream without an end to its line would fill the memory. */
const longestEvent = 8 * LARGEST_BODY_BYTES;

/** Reads a stream of server-sent events and gives the data of each; comments and other fields are passed over. */
export class EventLines {
  private readonly lines = new LineSplitter((line) => this.line(line));
  private data: string[] = [];

  /** Of the event so far, in bytes. */
  private size = 0;

  constructor(
    private readonly onData: (data: string) => void,
    private readonly longest = longestEvent,
  ) {}

  /** Throws where an event is longer than any answer is. */
  push(chunk: Buffer): void {
    this.size += chunk.length;
    if (this.size > this.longest) {
      throw new Error(`An event of more than ${this.longest} bytes is not read.`);
    }
    this.lines.push(chunk);
  }

  private line(line: string): void {
    if (line.startsWith('data:')) {
      this.data.push(line.slice(line.startsWith('data: ') ? 6 : 5));
    } else if (line === '') {
      this.size = 0;
      if (this.data.length > 0) {
        this.onData(this.data.splice(0).join('\n'));
      }
    }
  }
}
