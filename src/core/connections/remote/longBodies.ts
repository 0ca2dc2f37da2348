import { randomUUID } from 'node:crypto';
import { stringifyInSlices } from '../../../base/jsonPieces';
import { largerThan } from '../../../base/jsonSize';

/** A message above this many characters, roughly, is made a text here, while everything else goes on, and not by the SDK in one go. */
const LONG = 131_072;

/** What a request carries: text, or the pieces of a long one. */
export type Body = string | readonly Buffer[];

/** Long messages on their way through the SDK, which sees them whole but writes a ticket in their place. */
export class LongBodies {
  private readonly bodies = new Map<string, readonly Buffer[]>();
  private readonly mark = `portico:${randomUUID()}`;
  private next = 1;

  /** Runs `send` with the message as the SDK should have it. */
  async carry<T extends object>(message: T, send: (message: T) => Promise<void>): Promise<void> {
    if (!largerThan(message, LONG)) {
      await send(message);
      return;
    }
    const ticket = `${this.mark}:${this.next}`;
    this.next += 1;
    this.bodies.set(JSON.stringify(ticket), await stringifyInSlices(message));
    try {
      await send({ ...message, toJSON: () => ticket });
    } finally {
      this.bodies.delete(JSON.stringify(ticket));
    }
  }

  /** What the ticket stands for; everything else stands for itself. */
  of(text: string): Body {
    return this.bodies.get(text) ?? text;
  }
}
