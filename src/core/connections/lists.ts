import type { ServerCapabilities } from '@modelcontextprotocol/client';
import type { Clock } from '../../base/clock';
import type { ListKind, ServerList, ServerLists } from './connectionTypes';
import { readPages } from './pagination';
import { readEntries } from './readEntries';
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
}

const READINGS: Readonly<Record<ListKind, ListReading>> = {
  tools: { method: 'tools/list', field: 'tools', capability: 'tools' },
  resources: { method: 'resources/list', field: 'resources', capability: 'resources' },
  templates: {
    method: 'resources/templates/list',
    field: 'resourceTemplates',
    capability: 'resources',
    optional: true,
  },
  prompts: { method: 'prompts/list', field: 'prompts', capability: 'prompts' },
};

export interface ListOptions {
  readonly clock: Clock;
  readonly signal?: AbortSignal;
  /** For each list, all its pages together; milliseconds. */
  readonly withinMs: number;
  /** Until when the server says that a list stays as it is, in milliseconds since the epoch; not called where it does not say. */
  onFresh?(kind: ListKind, until: number): void;
}

async function readList<K extends ListKind>(
  kind: K,
  read: Parameters<typeof readEntries>[1],
  session: Session,
  previous: ServerLists[K],
  options: ListOptions,
): Promise<ServerLists[K]> {
  const { method, field, capability, optional } = READINGS[kind];
  if (!session.info.capabilities[capability]) {
    return EMPTY;
  }
  const deadline = options.clock.now() + options.withinMs;
  const fetchPage = (cursor: string | undefined): Promise<unknown> =>
    session.request(method, cursor === undefined ? {} : { cursor }, {
      ...(options.signal === undefined ? {} : { signal: options.signal }),
      timeoutMs: Math.max(1, deadline - options.clock.now()),
    });
  const { entries, problem, ttlMs } = await readPages(field, fetchPage, {
    emptyIsCursor: session.info.era === 'stateless',
  });
  if (problem && entries.length === 0) {
    return optional && problem.code === METHOD_NOT_FOUND ? EMPTY : { ...previous, problem };
  }
  if (ttlMs > 0) {
    options.onFresh?.(kind, options.clock.now() + Math.min(ttlMs, LONGEST_MS));
  }
  const list = readEntries(entries, read);
  return { from: 'server', ...list, ...(problem ? { problem } : {}) } as ServerLists[K];
}

/** Lists anew what is asked for and declared; the rest stays as it was. Every list stands by itself. */
export async function readLists(
  session: Session,
  kinds: readonly ListKind[],
  previous: ServerLists,
  options: ListOptions,
): Promise<ServerLists> {
  const wanted = new Set(kinds);
  const list = <K extends ListKind>(kind: K, read: Parameters<typeof readEntries>[1]): Promise<ServerLists[K]> =>
    wanted.has(kind) ? readList(kind, read, session, previous[kind], options) : Promise.resolve(previous[kind]);
  const [tools, resources, templates, prompts] = await Promise.all([
    list('tools', session.mirrorsParameters ? readMirroredTool : readTool),
    list('resources', readResource),
    list('templates', readTemplate),
    list('prompts', readPrompt),
  ]);
  return { tools, resources, templates, prompts };
}
