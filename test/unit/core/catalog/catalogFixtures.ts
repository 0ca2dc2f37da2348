import type { Tool } from '@modelcontextprotocol/client';
import { signal, type Signal } from '@preact/signals-core';
import type { CatalogServer } from '../../../../src/core/catalog/catalogTypes';
import type { ServerList, ServerLists, SetAside } from '../../../../src/core/connections/connectionTypes';

export function tool(name: string, more: Record<string, unknown> = {}): Tool {
  return { name, inputSchema: { type: 'object', properties: {} }, ...more } as Tool;
}

export function list<T>(items: readonly T[], setAside: readonly SetAside[] = []): ServerList<T> {
  return { from: 'server', items, setAside };
}

export function lists(tools: readonly Tool[], setAside: readonly SetAside[] = []): ServerLists {
  return { tools: list(tools, setAside), resources: list([]), templates: list([]), prompts: list([]) };
}

export interface FakeServer extends CatalogServer {
  readonly lists: Signal<ServerLists>;
}

export function server(key: string, tools: readonly Tool[], id = key): FakeServer {
  return { id, key, lists: signal(lists(tools)) };
}
