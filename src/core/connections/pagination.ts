import { createHash } from 'node:crypto';
import { PorticoError, type Problem, toProblem } from '../../base/errors';
import { isObject } from '../../base/jsonObject';
import { shortText } from '../../base/plainText';

export interface Pages {
  readonly entries: readonly unknown[];
  /** Why there is less than everything. */
  readonly problem?: Problem;
  /** How long they are fresh in milliseconds: as long as the page that is for the shortest time (2026-07-28 server/utilities/caching). */
  readonly ttlMs: number;
}

export interface PageOptions {
  /** An empty cursor is one like any other since 2026-07-28; before, some servers mean by it that there is no more. */
  readonly emptyIsCursor: boolean;
}

const MOST_PAGES = 2_000;
const MOST_ENTRIES = 500_000;
const MOST_EMPTY_PAGES = 10;
const LONGEST_REASON = 1_000;
/** A server may keep its place in a cursor, but it comes and goes with every page. */
const LONGEST_CURSOR = 65_536;

/** Reads a list to its end; a repeated, endless or failing sequence of cursors stops and keeps what came. */
export async function readPages(
  field: string,
  fetchPage: (cursor: string | undefined) => Promise<unknown>,
  { emptyIsCursor }: PageOptions,
): Promise<Pages> {
  let entries: unknown[] = [];
  let ttlMs = Infinity;
  const seen = new Set<string>();
  let cursor: string | undefined;
  let empty = 0;
  const stopped = (code: string, why: string): Pages => ({
    entries,
    ttlMs: 0,
    problem: { code, message: `The list is not whole: ${why}. ${entries.length} entries were kept.` },
  });
  for (let page = 0; page < MOST_PAGES; page += 1) {
    let answer: unknown;
    try {
      answer = await fetchPage(cursor);
    } catch (error) {
      if (PorticoError.is(error, 'CANCELLED')) {
        throw error;
      }
      const { code, message } = toProblem(error);
      return { entries, ttlMs: 0, problem: { code, message: shortText(message, LONGEST_REASON) } };
    }
    const { [field]: found, nextCursor, ttlMs: ttl } = isObject(answer) ? answer : {};
    if (!Array.isArray(found)) {
      return stopped('LIST_INVALID', `the server sent a page without "${field}"`);
    }
    entries = entries.length === 0 ? found : entries.concat(found);
    ttlMs = Math.min(ttlMs, typeof ttl === 'number' ? Math.max(0, ttl) : 0);
    if (nextCursor === undefined || nextCursor === null || (nextCursor === '' && !emptyIsCursor)) {
      return { entries, ttlMs };
    }
    if (typeof nextCursor !== 'string') {
      return stopped('LIST_INVALID', 'the server gave a cursor that is no text');
    }
    if (nextCursor.length > LONGEST_CURSOR) {
      return stopped('LIST_INVALID', `the server gave a cursor of ${nextCursor.length} characters`);
    }
    const digest = digestOf(nextCursor);
    if (seen.has(digest)) {
      return stopped('LIST_REPEATS', 'the server gave a cursor that it had given before');
    }
    seen.add(digest);
    cursor = nextCursor;
    empty = found.length === 0 ? empty + 1 : 0;
    if (empty >= MOST_EMPTY_PAGES || entries.length >= MOST_ENTRIES) {
      break;
    }
  }
  return stopped('LIST_ENDLESS', 'the server gave ever more cursors');
}

/** As UTF-16, in which no two texts are alike. */
function digestOf(cursor: string): string {
  return createHash('sha256').update(cursor, 'utf16le').digest('base64');
}
