import { randomUUID } from 'node:crypto';
import { PorticoError } from '../../base/errors';
import type { AgentClient } from '../serverTypes';

/** How much JSON and text one answer may have, in characters: below 8,000 tokens. */
const maxChars = 24_000;
const maxKept = 64;

/** The part of a long answer that is given at once. */
export interface ResultPage<Item, Head> {
  readonly head: Head;
  readonly items: readonly Item[];
  readonly total: number;
  /** Where the rest is; absent where nothing is left. */
  readonly nextCursor: string | undefined;
}

interface Kept {
  readonly client: string;
  readonly what: string;
  readonly head: unknown;
  readonly items: readonly unknown[];
  readonly limit: number;
}

/** Long answers, kept for a while so that every page is of the same state. */
export class ResultPages {
  private readonly kept = new Map<string, Kept>();

  /** `what` names the tool whose answer it is; `dress` completes the items of a page, such as by their source lines. */
  async first<Item, Head>(
    client: AgentClient,
    what: string,
    head: Head,
    items: readonly Item[],
    limit: number,
    dress: (items: readonly Item[]) => Promise<readonly Item[]>,
  ): Promise<ResultPage<Item, Head>> {
    const id = randomUUID().slice(0, 8);
    this.kept.set(id, { client: client.id, what, head, items, limit });
    const oldest = this.kept.keys().next().value;
    if (this.kept.size > maxKept && oldest !== undefined) {
      this.kept.delete(oldest);
    }
    const page = await this.cut(id, head, items, 0, limit, dress);
    if (page.nextCursor === undefined) {
      this.kept.delete(id);
    }
    return page;
  }

  /** The page at a cursor. Rejects with ARGUMENTS_INVALID where it is none of this client's and tool's, or too old. */
  async next<Item, Head>(
    client: AgentClient,
    what: string,
    cursor: string,
    dress: (items: readonly Item[]) => Promise<readonly Item[]>,
  ): Promise<ResultPage<Item, Head>> {
    const [id = '', offset = ''] = cursor.split('.');
    const kept = this.kept.get(id);
    if (kept?.client !== client.id || kept.what !== what || !/^\d+$/.test(offset)) {
      throw new PorticoError(
        'ARGUMENTS_INVALID',
        'cursor: it is unknown or too old. Call again without it, with the same other arguments.',
      );
    }
    this.kept.delete(id);
    this.kept.set(id, kept);
    return this.cut(id, kept.head as Head, kept.items as readonly Item[], Number(offset), kept.limit, dress);
  }

  private async cut<Item, Head>(
    id: string,
    head: Head,
    items: readonly Item[],
    offset: number,
    limit: number,
    dress: (items: readonly Item[]) => Promise<readonly Item[]>,
  ): Promise<ResultPage<Item, Head>> {
    const dressed = await dress(items.slice(offset, offset + limit));
    let chars = JSON.stringify(head).length;
    let count = 0;
    for (const item of dressed) {
      chars += JSON.stringify(item).length;
      if (count > 0 && chars > maxChars) {
        break;
      }
      count += 1;
    }
    const end = offset + count;
    return {
      head,
      items: dressed.slice(0, count),
      total: items.length,
      nextCursor: end < items.length ? `${id}.${end}` : undefined,
    };
  }
}
