import { randomUUID } from 'node:crypto';
import { isObject } from '../../../base/jsonObject';
import { parseInSlices } from '../../../base/slicedJson';
import type { Fields } from '../readEntries';
import { depthBound } from '../withinDepth';

/** An event above this many bytes is parsed while everything else goes on; the SDK, too, would do it in one go. */
const LONG = 262_144;
const EVENT_END = '\n\n';
const DATA = 'data:';
const ID = 'id:';
const ODD_ID = /^id:[^\n]*[^\t\x20-\x7e\n]/m;
const UNSENDABLE_ID = /^id:[^\n]*[^\t\x20-\x7e\x80-\xff\n]/;
const NEXT_LINE = Buffer.from('\n');
const BOM = Buffer.from('\uFEFF');
const OTHER_KIND = /^event:(?! ?message$)/m;

/** The members of a message that hold its weight, each with what stands in for it. */
const WEIGHTS: readonly (readonly [string, (weight: Fields, standIn: Fields) => unknown])[] = [
  ['result', (_result, standIn) => standIn],
  ['params', (_params, standIn) => standIn],
  ['error', ({ code, message }, standIn) => ({ code, message, data: standIn })],
];

/** What was taken out of messages on their way through the SDK; each is given back once. */
export class Lifted {
  private readonly mark = `portico:${randomUUID()}`;
  private readonly weights = new Map<number, unknown>();
  private next = 1;

  /** The message with something small in place of its weight, whose number is told. */
  lift(message: Fields, told: (number: number) => void): Fields {
    for (const [name, standInFor] of WEIGHTS) {
      const weight = message[name];
      if (isObject(weight)) {
        const number = this.next;
        this.next += 1;
        this.weights.set(number, weight);
        told(number);
        return { ...message, [name]: standInFor(weight, { [this.mark]: number }) };
      }
    }
    return message;
  }

  /** The message as it came. */
  restore<T extends object>(message: T): T {
    for (const [name] of WEIGHTS) {
      const found = name in message ? (message as Fields)[name] : undefined;
      const holder = name === 'error' && isObject(found) ? found['data'] : found;
      const number = isObject(holder) ? holder[this.mark] : undefined;
      if (typeof number === 'number') {
        const weight = this.weights.get(number);
        this.weights.delete(number);
        return { ...message, [name]: weight };
      }
    }
    return message;
  }

  /** Nobody will ask for these. */
  drop(numbers: Iterable<number>): void {
    for (const number of numbers) {
      this.weights.delete(number);
    }
  }
}

/** What is made of each message before the SDK sees it. */
export type ReadMessage = (message: Fields) => Fields;

/**
 * Passes whole events of a stream on, whose lines end with LF alone: a batch as single messages, which is all that the SDK
 * reads there, and of what is large, or was made anew by `readMessage`, a stand-in only, by `lifted`.
 */
export class EventReader {
  private pending: Buffer[] = [];
  private size = 0;
  private last: number | undefined;
  private readonly numbers: number[] = [];

  constructor(
    private readonly lifted: Lifted,
    private readonly readMessage: ReadMessage,
  ) {}

  /** The events that are complete with this chunk; a promise where a large one is among them. */
  take(chunk: Buffer): Buffer | Promise<Buffer> | undefined {
    const end = this.endIn(chunk);
    if (end === 0) {
      this.hold(chunk);
      return undefined;
    }
    const head = chunk.subarray(0, end);
    const whole = this.pending.length === 0 ? head : Buffer.concat([...this.pending, head], this.size + head.length);
    this.pending = [];
    this.size = 0;
    this.hold(chunk.subarray(end));
    return whole.length > LONG ? this.splitLarge(whole) : this.split(whole);
  }

  /** What is left at the end of the stream. */
  rest(): Buffer | Promise<Buffer> {
    const whole = Buffer.concat([...this.pending, Buffer.from(EVENT_END)]);
    this.pending = [];
    return whole.length > LONG ? this.splitLarge(whole) : this.split(whole);
  }

  /** Nobody reads on. */
  dispose(): void {
    this.pending = [];
    this.lifted.drop(this.numbers);
  }

  /** Where the last complete event of the chunk ends; 0 for nowhere. */
  private endIn(chunk: Buffer): number {
    const within = chunk.lastIndexOf(EVENT_END);
    const across = this.last === 0x0a && chunk[0] === 0x0a ? 1 : 0;
    this.last = chunk.at(-1) ?? this.last;
    return within < 0 ? across : within + EVENT_END.length;
  }

  private hold(chunk: Buffer): void {
    if (chunk.length > 0) {
      this.pending.push(chunk);
      this.size += chunk.length;
    }
  }

  private split(events: Buffer): Buffer {
    const first = events.indexOf(EVENT_END) + EVENT_END.length;
    return first === events.length
      ? this.small(events)
      : Buffer.concat([...parts(events)].map((one) => this.small(one)));
  }

  private async splitLarge(events: Buffer): Promise<Buffer> {
    const out: Buffer[] = [];
    for (const event of parts(events)) {
      out.push(event.length > LONG ? await this.large(event) : this.small(event));
    }
    return Buffer.concat(out);
  }

  private small(given: Buffer): Buffer {
    const event = withSendableIds(given);
    const { data, others } = takeApart(event);
    const value = OTHER_KIND.test(others) ? undefined : parsed(data);
    const messages = (Array.isArray(value) ? value : [value]).filter(isObject);
    const read = messages.map((message) => this.readMessage(message));
    const isSame = messages.length === 0 || (messages[0] === value && read[0] === value);
    return isSame ? event : this.write(read, others);
  }

  private async large(event: Buffer): Promise<Buffer> {
    const { data, others: given } = takeApart(event);
    const others = withSendableIds(Buffer.from(given)).toString('utf8');
    const messages = OTHER_KIND.test(others) ? [] : await readLarge(data);
    return this.write(
      messages.map((message) => this.readMessage(message)),
      others,
    );
  }

  private write(messages: readonly Fields[], others: string): Buffer {
    const lines = messages.map((message) => {
      const standIn = this.lifted.lift(message, (number) => this.numbers.push(number));
      return `${DATA} ${JSON.stringify(standIn)}\n`;
    });
    // The other lines stand with the last message: a stream is resumed after all of them.
    const last = `${others}${lines.pop() ?? ''}`;
    return Buffer.from([...lines, last].map((one) => `${one}\n`).join(''));
  }
}

function* parts(events: Buffer): Iterable<Buffer> {
  let from = 0;
  while (from < events.length) {
    const found = events.indexOf(EVENT_END, from);
    const end = found < 0 ? events.length : found + EVENT_END.length;
    yield events.subarray(from, end);
    from = end;
  }
}

/** What the event says, and its other lines. */
function takeApart(event: Buffer): { readonly data: Buffer; readonly others: string } {
  const data: Buffer[] = [];
  let others = '';
  let from = event.indexOf(BOM) === 0 ? BOM.length : 0;
  while (from < event.length) {
    const found = event.indexOf('\n', from);
    const end = found < 0 ? event.length : found;
    if (event.toString('latin1', from, from + DATA.length) === DATA) {
      data.push(event.subarray(from + DATA.length, end), NEXT_LINE);
    } else if (end > from && end - from < LONG) {
      others += `${event.toString('utf8', from, end)}\n`;
    }
    from = end + 1;
  }
  return { data: Buffer.concat(data), others };
}

/**
 * Ids go back in a header, which holds bytes and no characters: each byte becomes a character, so that the server gets what
 * it sent. An id that no header can hold is left out, and the stream cannot be resumed.
 */
function withSendableIds(event: Buffer): Buffer {
  const bytes = event.includes(ID) ? event.toString('latin1') : '';
  return ODD_ID.test(bytes)
    ? Buffer.concat(
        bytes
          .split(/(?<=\n)/)
          .filter((line) => !UNSENDABLE_ID.test(line))
          .map((line) => Buffer.from(line, line.startsWith(ID) ? 'utf8' : 'latin1')),
      )
    : event;
}

function parsed(data: Buffer): unknown {
  try {
    return data.length === 0 ? undefined : JSON.parse(data.toString('utf8'));
  } catch {
    // The SDK reads it again and reports it.
    return undefined;
  }
}

/** What is no message is left out, as the SDK would do. */
async function readLarge(data: Buffer): Promise<readonly Fields[]> {
  try {
    const value = await parseInSlices(data, depthBound);
    return (Array.isArray(value) ? value : [value]).filter(isObject);
  } catch (error) {
    if (error instanceof SyntaxError) {
      return [];
    }
    throw error;
  }
}
