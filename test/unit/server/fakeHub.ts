import type { CallToolResult, Prompt, Resource, ResourceTemplateType, Tool } from '@modelcontextprotocol/client';
import { computed, type Signal, signal } from '@preact/signals-core';
import { PorticoError } from '../../../src/base/errors';
import { createCatalog } from '../../../src/core/catalog/catalog';
import type { ToolRef } from '../../../src/core/catalog/catalogTypes';
import type { ServerDefinition } from '../../../src/core/config/configTypes';
import type { ReadyInfo, ServerLists } from '../../../src/core/connections/connectionTypes';
import type { Hub, ServerStatus, ServerView } from '../../../src/core/hubTypes';
import type { CallOptions } from '../../../src/core/policy/policyTypes';

export interface FakeServer extends ServerView {
  readonly status: Signal<ServerStatus>;
  readonly lists: Signal<ServerLists>;
  readonly lastInfo: Signal<ReadyInfo | undefined>;
}

export interface Offers {
  readonly tools?: readonly Tool[];
  readonly resources?: readonly Resource[];
  readonly templates?: readonly ResourceTemplateType[];
  readonly prompts?: readonly Prompt[];
}

export function listsOf(offers: Offers, from: 'none' | 'cache' | 'server' = 'cache'): ServerLists {
  const list = <T>(items: readonly T[] = []) => ({ from, items, setAside: [] });
  return {
    tools: list(offers.tools),
    resources: list(offers.resources),
    templates: list(offers.templates),
    prompts: list(offers.prompts),
  };
}

export function tool(name: string, more: Partial<Tool> = {}): Tool {
  return { name, inputSchema: { type: 'object', properties: {} }, ...more };
}

export function fakeServer(key: string, offers?: Offers, more: Partial<ServerDefinition> = {}): FakeServer {
  const definition: ServerDefinition = {
    id: key,
    key,
    source: { id: 'settings:user', kind: 'settings', scope: 'user', label: 'user settings' },
    owner: 'portico',
    launch: { type: 'stdio', command: 'none', args: [], env: {} },
    disabled: false,
    self: false,
    inputs: [],
    consentDigest: key,
    launchDigest: key,
    ...more,
  };
  const info: ReadyInfo = {
    era: 'session',
    protocolVersion: '2025-11-25',
    serverInfo: { name: 'upstream', version: '1.2.3' },
    capabilities: { tools: {}, prompts: {}, resources: {}, completions: {} },
    instructions: `How to use ${key}.`,
  };
  return {
    id: definition.id,
    definition,
    status: signal<ServerStatus>({ kind: 'stopped' }),
    lists: signal(offers ? listsOf(offers) : listsOf({}, 'none')),
    lastInfo: signal(offers ? info : undefined),
  };
}

/** A hub of servers that never run; what it is asked to do is noted, and what it answers is set by the test. */
export class FakeHub {
  readonly servers: Signal<readonly FakeServer[]>;
  readonly started: string[] = [];
  readonly calls: { ref: ToolRef; args: unknown; options: CallOptions }[] = [];
  onStart: (id: string) => Promise<void> = async () => {};
  onCall: (ref: ToolRef, args: Readonly<Record<string, unknown>>, options: CallOptions) => Promise<CallToolResult> =
    async () => ({ content: [{ type: 'text', text: 'done' }] });

  constructor(...servers: FakeServer[]) {
    this.servers = signal(servers);
  }

  asHub(): Hub {
    const catalog = createCatalog(
      computed(() => this.servers.value.map(({ id, definition, lists }) => ({ id, key: definition.key, lists }))),
    );
    const hub: Partial<Hub> = {
      servers: this.servers,
      catalog,
      ready: Promise.resolve(),
      server: (id) => this.servers.peek().find((view) => view.id === id),
      start: async (id) => {
        this.started.push(id);
        await this.onStart(id);
      },
      freshen: () => undefined,
      callTool: async (ref, args, options) => {
        this.calls.push({ ref, args, options });
        return this.onCall(ref, args, options);
      },
      readResource: async (server, uri) => {
        if (uri.startsWith('missing:')) {
          throw new PorticoError('RESOURCE_UNKNOWN', `${server} has no resource ${uri}.`, { server });
        }
        return { contents: [{ uri, text: `${server} ${uri}` }] };
      },
      getPrompt: async (server, name, args) => ({
        messages: [{ role: 'user', content: { type: 'text', text: JSON.stringify([server, name, args]) } }],
      }),
      complete: async (_server, _ref, argument, context) => ({
        completion: { values: [`${argument.value}!`, ...Object.values(context ?? {})] },
      }),
    };
    return hub as Hub;
  }
}
