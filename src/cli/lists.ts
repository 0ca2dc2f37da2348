import { PorticoError, type Problem, toProblem } from '../base/errors';
import type { CatalogEntry, CatalogTool } from '../core/catalog/catalogTypes';
import type { ServerLists, SetAside } from '../core/connections/connectionTypes';
import type { ConfigPlace } from '../core/config/configTypes';
import type { Hub, ServerStatus, ServerView } from '../core/hubTypes';
import type { Output, Row } from './output';
import { toldHere } from './toldHere';

/** A list as both forms of output need it. */
interface Listing {
  readonly entries: readonly object[];
  readonly head: Row;
  readonly rows: readonly Row[];
}

type Lister = (hub: Hub, failures: ReadonlyMap<string, Problem>, query: string) => Listing | Promise<Listing>;

const LISTERS: Readonly<Record<string, Lister>> = {
  servers: listServers,
  tools: (hub) => toolListing(hub.catalog.tools.peek()),
  search: async (hub, _failures, query) => toolListing((await hub.catalog.search(query)).map(({ tool }) => tool)),
  resources: (hub) => entryListing(hub.catalog.resources.peek(), 'uri'),
  templates: (hub) => entryListing(hub.catalog.templates.peek(), 'uriTemplate'),
  prompts: (hub) => entryListing(hub.catalog.prompts.peek(), 'name'),
};

export function isList(command: string): boolean {
  return Object.hasOwn(LISTERS, command);
}

/** Starts all enabled servers, waits for each, and prints the list. Exit code 0 where any server answered. */
export async function runList(
  command: string,
  query: string,
  hub: Hub,
  output: Output,
  json: boolean,
): Promise<number> {
  const lister = LISTERS[command];
  if (!lister) {
    throw new PorticoError('INTERNAL', `No list is called "${command}".`);
  }
  const failures = await startAll(hub);
  const { entries, head, rows } = await lister(hub, failures, query);
  if (json) {
    output.json(entries);
  } else {
    output.table(head, rows);
  }
  reportProblems(hub, failures, output);
  return hub.servers.peek().some(({ status }) => status.peek().kind === 'ready') ? 0 : 1;
}

export function enabledServers(hub: Hub): readonly ServerView[] {
  return hub.servers.peek().filter(({ definition }) => !definition.disabled && !definition.self);
}

async function startAll(hub: Hub): Promise<ReadonlyMap<string, Problem>> {
  const failures = new Map<string, Problem>();
  await Promise.all(
    enabledServers(hub).map(async ({ id }) => {
      try {
        await hub.start(id, { interactive: false });
      } catch (error) {
        failures.set(id, toProblem(error));
      }
    }),
  );
  return failures;
}

/** Says what is wrong with the config files, and where they name nothing to run. */
export function reportIdle(hub: Hub, output: Output): void {
  for (const { source, key, code, message } of hub.configProblems.peek()) {
    output.problem(key ?? source.label, { code, message });
  }
  const servers = hub.servers.peek();
  if (hub.configProblems.peek().length === 0 && servers.every(({ definition }) => definition.disabled)) {
    const message =
      servers.length === 0 ? 'The config files name no server.' : 'Every server is switched off in its config file.';
    output.problem('portico', { code: servers.length === 0 ? 'SERVER_UNKNOWN' : 'SERVER_OFF', message });
  }
}

function reportProblems(hub: Hub, failures: ReadonlyMap<string, Problem>, output: Output): void {
  reportIdle(hub, output);
  for (const { id, status, lists } of hub.servers.peek()) {
    const state = status.peek();
    const failure = failures.get(id);
    if (failure) {
      output.problem(id, failure, state.kind === 'failed' ? state.detail : []);
    }
    for (const [kind, { problem, setAside }] of Object.entries(lists.peek())) {
      for (const one of [...(problem ? [problem] : []), ...setAside.map((entry: SetAside) => entry.problem)]) {
        output.problem(id, told(kind, one));
      }
    }
  }
}

function listServers(hub: Hub, failures: ReadonlyMap<string, Problem>): Listing {
  const known = hub.servers.peek();
  const configured = known.map((view) => ({
    place: view.definition.place,
    entry: describeServer(view, failures.get(view.id)),
  }));
  const problems = hub.configProblems.peek();
  const broken = problems
    .filter(({ key }, index) => key !== undefined && problems.findIndex((other) => other.key === key) === index)
    .filter(({ key }) => !known.some((view) => view.definition.key === key))
    .map(({ key, code, message, place }) => ({ place, entry: brokenServer(key ?? '', { code, message }) }));
  const entries = inFileOrder([...configured, ...broken]).map(({ entry: listed }) => listed);
  return {
    entries,
    head: ['NAME', 'STATE', 'PROTOCOL', 'TOOLS', 'RESOURCES', 'TEMPLATES', 'PROMPTS', 'PROBLEM'],
    rows: entries.map(({ name, state, protocolVersion, counts, problem }) => [
      ...[name, state, protocolVersion ?? ''],
      ...[counts.tools, counts.resources, counts.templates, counts.prompts].map(String),
      problem ? `${problem.code}: ${problem.message}` : '',
    ]),
  };
}

interface ServerEntry {
  readonly name: string;
  readonly state: string;
  readonly era: string | null;
  readonly protocolVersion: string | null;
  readonly serverInfo: object | null;
  readonly capabilities: object | null;
  readonly counts: {
    readonly tools: number;
    readonly resources: number;
    readonly templates: number;
    readonly prompts: number;
  };
  readonly problem?: Problem;
}

function inFileOrder<T extends { readonly place: ConfigPlace | undefined }>(placed: readonly T[]): readonly T[] {
  const files = [...new Set(placed.map(({ place }) => place?.file))];
  return placed.toSorted(
    ({ place: a }, { place: b }) =>
      files.indexOf(a?.file) - files.indexOf(b?.file) || (a?.offset ?? 0) - (b?.offset ?? 0),
  );
}

function brokenServer(name: string, problem: Problem): ServerEntry {
  return {
    name,
    state: 'failed',
    era: null,
    protocolVersion: null,
    serverInfo: null,
    capabilities: null,
    counts: { tools: 0, resources: 0, templates: 0, prompts: 0 },
    problem,
  };
}

function describeServer({ id, status, lists }: ServerView, failure: Problem | undefined): ServerEntry {
  const state = status.peek();
  const { tools, resources, templates, prompts } = lists.peek();
  const problem = problemOf(state) ?? failure ?? listProblem(lists.peek());
  const known = state.kind === 'ready' ? state.info : undefined;
  return {
    name: id,
    state: stateWord(state, failure),
    era: known?.era ?? null,
    protocolVersion: known?.protocolVersion ?? null,
    serverInfo: known?.serverInfo ?? null,
    capabilities: known?.capabilities ?? null,
    counts: {
      tools: tools.items.length,
      resources: resources.items.length,
      templates: templates.items.length,
      prompts: prompts.items.length,
    },
    ...(problem ? { problem: toldHere(problem) } : {}),
  };
}

export function stateWord(state: ServerStatus, failure: Problem | undefined): string {
  switch (state.kind) {
    case 'ready':
    case 'starting':
    case 'failed':
      return state.kind;
    case 'signInRequired':
      return 'failed';
    case 'off':
      return 'disabled';
    case 'reconnecting':
      return 'starting';
    default:
      return failure ? 'failed' : 'stopped';
  }
}

export function problemOf(state: ServerStatus): Problem | undefined {
  switch (state.kind) {
    case 'failed':
    case 'signInRequired':
      return state.problem;
    case 'self':
      return { code: 'SERVER_IS_PORTICO', message: 'This entry leads back to Portico itself and is not started.' };
    default:
      return undefined;
  }
}

/** A server that runs may still refuse a list: that looks like an empty one otherwise. */
function listProblem(lists: ServerLists): Problem | undefined {
  const failed = Object.entries(lists).find(([, { problem }]) => problem !== undefined);
  return failed?.[1].problem && told(failed[0], failed[1].problem);
}

function told(kind: string, problem: Problem): Problem {
  return { ...problem, message: `${kind}: ${problem.message}` };
}

/** What the server sent, whole, with what Portico adds in front; the server's own fields of these names give way. */
function entry(sent: object, added: object, problem: Problem | undefined): object {
  return Object.assign({}, added, sent, added, problem && { problem });
}

function toolListing(tools: readonly CatalogTool[]): Listing {
  return {
    entries: tools.map(({ ref, exposedName, tool, problem }) =>
      entry(tool, { server: ref.server, name: ref.name, exposedName }, problem),
    ),
    head: ['SERVER', 'TOOL', 'EXPOSED NAME', 'DESCRIPTION'],
    rows: tools.map(({ ref, exposedName, tool, problem }) => [
      ...[ref.server, ref.name, exposedName],
      problem ? `${problem.code}: ${problem.message}` : (tool.description ?? ''),
    ]),
  };
}

function entryListing<T extends { readonly name: string; readonly description?: string }>(
  items: readonly CatalogEntry<T>[],
  key: keyof T & string,
): Listing {
  return {
    entries: items.map(({ server, item, problem }) => entry(item, { server }, problem)),
    head: ['SERVER', key === 'name' ? 'NAME' : 'URI', 'DESCRIPTION'],
    rows: items.map(({ server, item, problem }) => [
      ...[server, String(item[key])],
      problem ? `${problem.code}: ${problem.message}` : (item.description ?? item.name),
    ]),
  };
}
