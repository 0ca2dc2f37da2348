import type { Tool } from '@modelcontextprotocol/client';
import { computed, type ReadonlySignal } from '@preact/signals-core';
import type { Problem } from '../../base/errors';
import type { ServerList, ServerLists, SetAside } from '../connections/connectionTypes';
import type { Catalog, CatalogEntry, CatalogServer, CatalogTool, ToolRef } from './catalogTypes';
import { chatNames } from './names/chatNames';
import { exposedNames, type NameContext, nameContexts } from './names/exposedNames';
import { schemaProblem } from './schemaProblem';
import { isObject } from '../../base/schemaWalk';
import type { ToolSearch } from './search/toolSearch';

/** Derives the catalog. What one server changes rebuilds that server's part alone; its neighbours' entries keep their identity. */
export function createCatalog(servers: ReadonlySignal<readonly CatalogServer[]>): Catalog {
  let parts = new Map<string, ServerPart>();
  const all = computed(() => {
    const contexts = nameContexts(servers.value);
    const next = new Map<string, ServerPart>();
    for (const server of servers.value) {
      const context = contexts.get(server.id) ?? { rivals: [], twin: false };
      const known = parts.get(server.id);
      next.set(server.id, known?.serves(server, context) ? known : new ServerPart(server, context));
    }
    parts = next;
    return [...next.values()];
  });
  const joined = <T>(pick: (part: ServerPart) => ReadonlySignal<readonly T[]>) =>
    computed(() => all.value.flatMap((part) => pick(part).value));
  const tools = joined((part) => part.tools);
  const byExposedName = computed(() => new Map(tools.value.map((tool) => [tool.exposedName, tool])));
  const partOf = (server: string) => {
    // Reading `all` brings `parts` up to date.
    void all.value;
    return parts.get(server);
  };
  // The search library is loaded, and the index made, when somebody searches.
  let search: Promise<ToolSearch> | undefined;
  return {
    tools,
    resources: joined((part) => part.resources),
    templates: joined((part) => part.templates),
    prompts: joined((part) => part.prompts),
    toolByExposedName: (name) => byExposedName.value.get(name),
    toolByRef: (ref) => partOf(ref.server)?.byName.value.get(ref.name),
    toolsOf: (server) => partOf(server)?.tools.value ?? [],
    modelSchemaOf: async ({ tool }) => (await import('./modelSchema')).modelSchema(tool),
    search: async (query, limit) => {
      search ??= import('./search/toolSearch').then(({ ToolSearch: Search }) => new Search());
      return (await search).search(tools.peek(), query, limit);
    },
    resourceTreeOf: async (server) =>
      (await import('./resources/resourceTree')).resourceTree(partOf(server)?.listedResources.peek() ?? []),
    searchResources: async (query, limit = 200) => {
      const { searchResources } = await import('./search/resourceSearch');
      return searchResources(
        all.peek().map(({ resources }) => resources.peek()),
        query,
        limit,
      );
    },
  };
}

/** One server's share of the catalog. */
class ServerPart {
  readonly tools: ReadonlySignal<readonly CatalogTool[]>;
  readonly byName: ReadonlySignal<ReadonlyMap<string, CatalogTool>>;
  readonly resources = this.entries('resources', (raw) => ({ uri: '', name: '', ...raw }));
  readonly listedResources = computed(() => this.server.lists.value.resources.items);
  readonly templates = this.entries('templates', (raw) => ({ uriTemplate: '', name: '', ...raw }));
  readonly prompts = this.entries('prompts', (raw) => ({ name: '', ...raw }));

  constructor(
    private readonly server: CatalogServer,
    private readonly context: NameContext,
  ) {
    // A computed of its own: a change of another list leaves the tools as they are.
    const list = computed(() => server.lists.value.tools);
    this.tools = computed(() => toolsOf(server, context, list.value));
    this.byName = computed(() => {
      // The first of a name counts, and what was set aside never stands before a good entry.
      return new Map(this.tools.value.toReversed().map((tool) => [tool.ref.name, tool]));
    });
  }

  serves(server: CatalogServer, context: NameContext): boolean {
    return (
      server.key === this.server.key &&
      server.lists === this.server.lists &&
      context.twin === this.context.twin &&
      context.rivals.join('\0') === this.context.rivals.join('\0')
    );
  }

  private entries<K extends Exclude<keyof ServerLists, 'tools'>>(
    kind: K,
    repair: (raw: Record<string, unknown>) => ServerLists[K]['items'][number],
  ): ReadonlySignal<readonly CatalogEntry<ServerLists[K]['items'][number]>[]> {
    const list = computed(() => this.server.lists.value[kind]);
    return computed(() => {
      const { id, key } = this.server;
      const { items, setAside } = list.value;
      return [
        ...items.map((item) => ({ server: id, key, item })),
        ...setAside.map(({ name, raw, problem }) => ({
          server: id,
          key,
          item: repair({ ...(isObject(raw) ? raw : {}), name }),
          problem,
        })),
      ];
    });
  }
}

function toolsOf(server: CatalogServer, context: NameContext, list: ServerList<Tool>): readonly CatalogTool[] {
  const setAside = list.setAside.map((entry) => ({ tool: repairTool(entry), problem: entry.problem }));
  const names = [...list.items, ...setAside.map(({ tool }) => tool)].map(({ name }) => name);
  const exposed = exposedNames(server, names, context);
  const chat = chatNames(names);
  const entry = (tool: Tool, problem?: Problem) =>
    new ToolEntry(
      { server: server.id, name: tool.name },
      server.key,
      exposed.get(tool.name) ?? '',
      chat.get(tool.name) ?? '',
      tool,
      problem,
    );
  return [...list.items.map((tool) => entry(tool)), ...setAside.map(({ tool, problem }) => entry(tool, problem))];
}

/** What the server sent, as far as it can be read as a tool; it stays unusable, so this is for showing it. */
function repairTool({ name, raw }: SetAside): Tool {
  const sent = isObject(raw) ? raw : {};
  const { description, title, inputSchema, ...rest } = sent;
  return {
    ...(rest as Partial<Tool>),
    name,
    inputSchema: (isObject(inputSchema) ? inputSchema : { type: 'object' }) as Tool['inputSchema'],
    ...(typeof title === 'string' ? { title } : {}),
    ...(typeof description === 'string' ? { description } : {}),
  };
}

/** A tool of the catalog; its schemas are looked at when somebody asks for the problem, not for all tools of a list. */
class ToolEntry implements CatalogTool {
  private checked: { readonly problem: Problem | undefined } | undefined;

  constructor(
    readonly ref: ToolRef,
    readonly key: string,
    readonly exposedName: string,
    readonly chatName: string,
    readonly tool: Tool,
    private readonly setAside: Problem | undefined,
  ) {}

  get problem(): Problem | undefined {
    this.checked ??= { problem: this.setAside ?? schemaProblem(this.tool) };
    return this.checked.problem;
  }
}
