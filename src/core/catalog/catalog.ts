import type { Tool } from '@modelcontextprotocol/client';
import { computed, type ReadonlySignal } from '@preact/signals-core';
import type { Problem } from '../../base/errors';
import { isObject } from '../../base/jsonObject';
import type { ServerLists, SetAside } from '../connections/connectionTypes';
import type { Catalog, CatalogEntry, CatalogServer, CatalogTool } from './catalogTypes';
import { chatNames } from './names/chatNames';
import { exposedNames, mayExpose, type NameContext, nameContexts } from './names/exposedNames';
import type { ToolSearch } from './search/toolSearch';
import { repairTool, ToolEntry } from './toolEntry';

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
    // A hundred times as fast as `flatMap`: this is done anew for every list that changes.
    computed(() => ([] as T[]).concat(...all.value.map((part) => pick(part).value)));
  const tools = joined((part) => part.tools);
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
    toolByExposedName: (name) => {
      const part = all.value.find(({ key, byExposedName }) => mayExpose(key, name) && byExposedName.value.has(name));
      return part?.byExposedName.value.get(name);
    },
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
  readonly byExposedName: ReadonlySignal<ReadonlyMap<string, CatalogTool>>;
  readonly resources = this.entries('resources', (raw) => ({ uri: '', name: '', ...raw }));
  readonly listedResources = computed(() => this.server.lists.value.resources.items);
  readonly templates = this.entries('templates', (raw) => ({ uriTemplate: '', name: '', ...raw }));
  readonly prompts = this.entries('prompts', (raw) => ({ name: '', ...raw }));

  constructor(
    private readonly server: CatalogServer,
    private readonly context: NameContext,
  ) {
    // Each a computed of its own: a change of another list leaves the tools as they are, new descriptions leave the names.
    const items = computed(() => server.lists.value.tools.items);
    const setAside = computed(() => server.lists.value.tools.setAside);
    let named: readonly string[] = [];
    const names = computed(() => (named = sameOr(named, namesOf([...items.value, ...setAside.value]))));
    const exposed = computed(() => exposedNames(server, names.value, context));
    const chat = computed(() => lateChatNames(names.value));
    let before: readonly ToolEntry[] = [];
    this.tools = computed(() => {
      const known = new Map(before.map((entry) => [entry.sent, entry]));
      const now = { exposed: exposed.value, chat: chat.value };
      const entryOf = (sent: Tool | SetAside, tool: Tool, problem?: Problem): ToolEntry => {
        const fresh = new ToolEntry(server, sent, tool, now, problem);
        const old = known.get(sent);
        return old?.exposedName === fresh.exposedName && old.chatName === fresh.chatName ? old : fresh;
      };
      return (before = sameOr(before, [
        ...items.value.map((tool) => entryOf(tool, tool)),
        ...setAside.value.map((entry) => entryOf(entry, repairTool(entry), entry.problem)),
      ]));
    });
    // The first of a name counts, and what was set aside never stands before a good entry.
    this.byName = computed(() => new Map(this.tools.value.toReversed().map((tool) => [tool.ref.name, tool])));
    this.byExposedName = computed(() => new Map(this.tools.value.toReversed().map((tool) => [tool.exposedName, tool])));
  }

  get key(): string {
    return this.server.key;
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
    const items = computed(() => this.server.lists.value[kind].items);
    const setAside = computed(() => this.server.lists.value[kind].setAside);
    return computed(() => {
      const { id, key } = this.server;
      return [
        ...items.value.map((item) => ({ server: id, key, item })),
        ...setAside.value.map(({ name, raw, problem }) => ({
          server: id,
          key,
          item: repair({ ...(isObject(raw) ? raw : {}), name }),
          problem,
        })),
      ];
    });
  }
}

const namesOf = (entries: readonly { readonly name: string }[]): readonly string[] => entries.map(({ name }) => name);

/** The names for the editor's chat, made when the first of them is asked for: a list is there before anybody publishes it. */
function lateChatNames(names: readonly string[]): () => ReadonlyMap<string, string> {
  let made: ReadonlyMap<string, string> | undefined;
  return () => (made ??= chatNames(names));
}

/** The array of before where the new one holds the same, so that what was derived of it stands. */
function sameOr<T>(before: readonly T[], next: readonly T[]): readonly T[] {
  return before.length === next.length && next.every((item, index) => item === before[index]) ? before : next;
}
