import type { ServerCapabilities } from '@modelcontextprotocol/client';
import type { Clock } from '../../base/clock';
import { PorticoError } from '../../base/errors';
import type { ListKind, ServerList, ServerLists } from './connectionTypes';
import { keepUnchanged } from './keepUnchanged';
import { readPages } from './pagination';
import { type Fields, readEntries } from './readEntries';
import { readPrompt } from './readPrompts';
import { readResource, readTemplate } from './readResources';
import { readMirroredTool, readTool } from './readTools';
import type { Session } from './sessionTypes';

/** What a server says to be fresh for longer is looked at after this time. */
const LONGEST_MS = 86_400_000;
const METHOD_NOT_FOUND = '-32601';
const EMPTY: ServerList<never> = { from: 'server', items: [], setAside: [] };

interface ListReading {
  readonly method: string;
  /** The field of each page, and the capability that a server declares for it. */
  readonly field: string;
  readonly capability: keyof ServerCapabilities;
  /** A server with resources need not know templates. */
  readonly optional?: boolean;
  /** What tells entries apart that have been read. */
  readonly key: string;
  reader(session: Session): Parameters<typeof readEntries>[1];
}

const READINGS: Readonly<Record<ListKind, ListReading>> = {
  tools: {
    method: 'tools/list',
    field: 'tools',
    capability: 'tools',
    key: 'name',
    reader: ({ mirrorsParameters }) => (mirrorsParameters ? readMirroredTool : readTool),
  },
  resources: {
    method: 'resources/list',
    field: 'resources',
    capability: 'resources',
    key: 'uri',
    reader: () => readResource,
  },
  templates: {
    method: 'resources/templates/list',
    field: 'resourceTemplates',
    capability: 'resources',
    optional: true,
    key: 'uriTemplate',
    reader: () => readTemplate,
  },
  prompts: { method: 'prompts/list', field: 'prompts', capability: 'prompts', key: 'name', reader: () => readPrompt },
};

export interface ListOptions {
  readonly clock: Clock;
  readonly signal?: AbortSignal;
  /** For each list, all its pages together; milliseconds. */
  readonly withinMs: number;
  /** Until when the server says that a list stays as it is, in milliseconds since the epoch; not called where it does not say. */
  onFresh?(kind: ListKind, until: number): void;
}

async function readList(
  { method, field, capability, optional, reader }: ListReading,
  session: Session,
  previous: ServerList<unknown>,
  onFresh: (until: number) => void,
  options: ListOptions,
): Promise<ServerList<unknown>> {
  if (!session.info.capabilities[capability]) {
    return EMPTY;
  }
  const deadline = options.clock.now() + options.withinMs;
  const fetchPage = async (cursor: string | undefined): Promise<unknown> => {
    const leftMs = deadline - options.clock.now();
    if (leftMs <= 0) {
      throw timeOver(options.withinMs);
    }
    try {
      return await session.request(method, cursor === undefined ? {} : { cursor }, {
        ...(options.signal === undefined ? {} : { signal: options.signal }),
        timeoutMs: leftMs,
      });
    } catch (error) {
      // What was left for a later page says nothing of how slow the server is.
      throw cursor !== undefined && PorticoError.is(error, 'TIMEOUT') ? timeOver(options.withinMs) : error;
    }
  };
  const { entries, problem, ttlMs } = await readPages(field, fetchPage, {
    emptyIsCursor: session.info.era === 'stateless',
  });
  if (problem && entries.length === 0) {
    return optional && problem.code === METHOD_NOT_FOUND ? EMPTY : { ...previous, problem };
  }
  if (ttlMs > 0) {
    onFresh(options.clock.now() + Math.min(ttlMs, LONGEST_MS));
  }
  return { from: 'server', ...(await readEntries(entries, reader(session))), ...(problem ? { problem } : {}) };
}

function timeOver(withinMs: number): PorticoError {
  return new PorticoError(
    'TIMEOUT',
    `The list is not whole: the server had not come to its end after ${Math.round(withinMs / 100) / 10} s. What came until then was kept.`,
  );
}

/**
 * Lists what is asked for, as far as it is declared; every list stands by itself. What says the same as in `previous` is the
 * same object.
 */
export async function readLists(
  session: Session,
  kinds: readonly ListKind[],
  previous: ServerLists,
  options: ListOptions,
): Promise<Partial<ServerLists>> {
  const list = async (kind: ListKind): Promise<readonly [ListKind, ServerList<unknown>]> => {
    const before: ServerList<unknown> = previous[kind];
    const { key } = READINGS[kind];
    const found = await readList(READINGS[kind], session, before, (until) => options.onFresh?.(kind, until), options);
    // The readers leave nothing without its key.
    return [kind, await keepUnchanged(before, found, (item) => String((item as Fields)[key]))];
  };
  return Object.fromEntries(await Promise.all(kinds.map(list))) as Partial<ServerLists>;
}
