import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import type { Fields } from './readEntries';
import { invalidReply, isReply, quoteOf } from './readReply';

type Id = string | number;

/**
 * The requests that a server has yet to answer. A reply that does not say which of them it is for is given to the only
 * one that it can be for: a server that cannot read a request answers so (spec: JSON-RPC 2.0, response object).
 */
export class AwaitedReplies {
  /** With the number of notifications that were sent before. */
  private readonly open = new Map<Id, number>();
  private notifications = 0;
  private answeredNotifications = 0;

  constructor(private readonly server: string) {}

  sent(message: JSONRPCMessage): void {
    if (!('method' in message)) {
      return;
    }
    if ('id' in message) {
      if (message.method === 'initialize') {
        // Whatever was asked before it is not waited for.
        this.open.clear();
      }
      this.open.set(message.id, this.notifications);
      return;
    }
    this.notifications += 1;
    const { requestId } = message.params ?? {};
    if (message.method === 'notifications/cancelled') {
      this.open.delete(requestId as Id);
    }
  }

  /**
   * The message itself, or, with the id of the only request that it can be for, one that names none; nothing for a reply that
   * may be for any, or for none.
   */
  claim<T>(message: T): T | undefined {
    if (!isReply(message)) {
      return message;
    }
    const { id } = message;
    if (typeof id === 'string' || typeof id === 'number') {
      this.answered(this.open.has(id) ? id : Number(id));
      return message;
    }
    const owner = isEmpty(message) ? undefined : this.onlyOne();
    return owner === undefined ? undefined : (this.withId(message, owner) as T);
  }

  isAwaited(id: unknown): boolean {
    return this.open.has(id as Id);
  }

  private answered(id: Id): void {
    // What was sent before it has been seen.
    this.answeredNotifications = Math.max(this.answeredNotifications, this.open.get(id) ?? 0);
    this.open.delete(id);
  }

  private onlyOne(): Id | undefined {
    if (this.answeredNotifications < this.notifications) {
      // Some servers refuse notifications that they do not know.
      this.answeredNotifications += 1;
      return undefined;
    }
    const [first, ...others] = this.open.keys();
    return others.length === 0 ? first : undefined;
  }

  private withId(reply: Fields, id: Id): Fields {
    const { error } = reply;
    return error === undefined || error === null
      ? invalidReply(id, `a result that does not say which request it is for: ${quoteOf(reply)}`, this.server)
      : { ...reply, id };
  }
}

function isEmpty({ result, error }: Fields): boolean {
  return (result ?? error ?? undefined) === undefined;
}
