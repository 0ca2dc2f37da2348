import type { Writable } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { stringifyInSlices } from '../../base/jsonPieces';
import { largerThan } from '../../base/jsonSize';
import type { AnswerBacklog } from './answerBacklog';

/** A message above this many characters, roughly, is not made a text at once. */
const LONG = 131_072;
/** Above so many bytes that the pipe has not taken, what comes next waits here. */
const FULL = 262_144;
/** What a message that waits takes beside its text. */
const EXTRA = 200;

interface Waiting {
  readonly message: JSONRPCMessage;
  /** Nothing where it is long. */
  readonly line: string | undefined;
  /** Of an answer: to be called when the server has taken it. */
  readonly taken: (() => void) | undefined;
  readonly settle: () => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Writes messages as lines, in order. A long one becomes text while everything else goes on; what comes after it waits, as does
 * what the server takes too slowly. A request that is given up before its turn is never sent.
 */
export class LineOutput {
  private readonly waiting = new Set<Waiting>();
  private isWriting = false;

  constructor(
    private readonly pipe: Writable,
    private readonly answers: AnswerBacklog,
  ) {
    pipe.on('drain', () => answers.moved());
    pipe.once('close', () => {
      this.waiting.forEach(({ settle }) => settle());
      this.waiting.clear();
      answers.dispose();
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.isGivenUp(message)) {
      return;
    }
    const line = largerThan(message, LONG) ? undefined : `${JSON.stringify(message)}\n`;
    const owed = isAnswer(message) ? EXTRA + (line?.length ?? LONG) : 0;
    if (owed > 0) {
      this.answers.add(owed);
    }
    const taken = owed > 0 ? () => this.answers.taken(owed) : undefined;
    if (line !== undefined && !this.isWriting && !this.isFull) {
      this.put(line, taken);
      return;
    }
    const turn = { message, line, taken, settle: () => undefined, fail: () => undefined };
    // Only what has yet to become text can fail; whoever waited for the others would only keep memory.
    await (line === undefined
      ? new Promise<void>((settle, fail) => this.enqueue({ ...turn, settle, fail }))
      : this.enqueue(turn));
  }

  private enqueue(turn: Waiting): void {
    this.waiting.add(turn);
    if (!this.isWriting) {
      void this.writeWaiting();
    }
  }

  /** Whether this tells a server to stop a request that still waits: neither is sent. */
  private isGivenUp(message: JSONRPCMessage): boolean {
    const id = 'method' in message && message.method === 'notifications/cancelled' && message.params?.['requestId'];
    for (const each of typeof id === 'number' || typeof id === 'string' ? this.waiting : []) {
      if ('method' in each.message && 'id' in each.message && each.message.id === id) {
        this.waiting.delete(each);
        each.settle();
        return true;
      }
    }
    return false;
  }

  private async writeWaiting(): Promise<void> {
    this.isWriting = true;
    // Those that come meanwhile have their turn too.
    for (const each of this.waiting) {
      await this.room();
      if (this.waiting.delete(each)) {
        await this.write(each).then(each.settle, (error: unknown) => {
          each.taken?.();
          each.fail(error);
        });
      }
    }
    this.isWriting = false;
  }

  private async write({ message, line, taken }: Waiting): Promise<void> {
    for (const piece of line === undefined ? await stringifyInSlices(message) : []) {
      await this.room();
      this.put(piece);
    }
    this.put(line ?? '\n', taken);
  }

  private put(text: string | Buffer, taken?: () => void): void {
    // What is left of a message when the pipe ends is of no use to anybody.
    if (this.pipe.writable) {
      this.pipe.write(text, taken);
    }
  }

  private get isFull(): boolean {
    return this.pipe.writableLength > FULL && !this.pipe.destroyed;
  }

  private async room(): Promise<void> {
    if (this.isFull) {
      await new Promise<void>((resolve) => {
        const go = (): void => {
          this.pipe.off('drain', go);
          this.pipe.off('close', go);
          resolve();
        };
        this.pipe.once('drain', go);
        this.pipe.once('close', go);
      });
    }
  }
}

function isAnswer(message: JSONRPCMessage): boolean {
  return !('method' in message);
}
