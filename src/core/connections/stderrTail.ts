import { StringDecoder } from 'node:string_decoder';
import { TimeSlices } from '../../base/timeSlices';
import { plainText } from '../../base/plainText';

const LINES_KEPT = 40;
const LONGEST_LINE = 2_000;

/**
 * Keeps the last lines of stderr; what a line has beyond the bound is dropped, so endless output costs nothing. A flood is
 * read a slice at a time: meanwhile the server waits.
 */
export class StderrTail {
  private readonly kept: string[] = [];
  private readonly decoder = new StringDecoder('utf8');
  private partial = '';
  private inTurn = false;

  constructor(
    /** Gets each line as it came. */
    private readonly onLine: (line: string) => void,
    private readonly source: { pause(): void; resume(): void } = { pause: () => undefined, resume: () => undefined },
    private readonly slices = new TimeSlices(),
  ) {}

  get lines(): readonly string[] {
    // Of a flood most lines are never shown.
    return [...this.kept, this.partial].map((line) => plainText(line).trimEnd()).filter((line) => line !== '');
  }

  push(chunk: Buffer): void {
    if (!this.inTurn) {
      this.inTurn = true;
      this.slices.restart();
      // Whatever there is to be read is read in one turn; immediates come after it.
      setImmediate(() => {
        this.inTurn = false;
        this.source.resume();
      });
    }
    const parts = this.decoder.write(chunk).split('\n');
    const last = parts.pop() ?? '';
    for (const part of parts) {
      this.append(part);
      this.finishLine();
    }
    this.append(last);
    if (this.slices.over) {
      this.source.pause();
    }
  }

  private append(text: string): void {
    const room = LONGEST_LINE - this.partial.length;
    if (room > 0 && text !== '') {
      this.partial += text.slice(0, room);
    }
  }

  private finishLine(): void {
    const line = this.partial;
    this.partial = '';
    if (line.trimEnd() === '') {
      return;
    }
    this.kept.push(line);
    if (this.kept.length > LINES_KEPT) {
      this.kept.shift();
    }
    this.onLine(line);
  }
}

const NOISE = /^\s*at |^\s*\^|^node:|^Node\.js v|^\s*[{}]\s*$|^\s*(code|errno|syscall|path|cause):|^\s*throw /;
const NAMED_ERROR = /^\s*(uncaught\s+)?[\w.]*(error|exception|panic|fatal)\b[^:]*:\s*(.+)$/i;
const TELLING =
  /error|not set|missing|required|cannot|can't|could not|unable|failed|not found|denied|invalid|refused|no such|unknown/i;

/** The line that best says why a process ended, without its "Error:" in front; nothing where stderr was silent. */
export function tellingLine(lines: readonly string[]): string | undefined {
  const plain = lines.filter((line) => line.trim() !== '' && !NOISE.test(line));
  const named = plain.findLast((line) => NAMED_ERROR.test(line));
  const best = named ?? plain.findLast((line) => TELLING.test(line)) ?? plain.at(-1);
  return (best && (NAMED_ERROR.exec(best)?.[3] ?? best))?.trim().slice(0, 300);
}
