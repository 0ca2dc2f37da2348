import type { Tool } from '@modelcontextprotocol/client';
import type { Problem } from '../../base/errors';
import { isObject } from '../../base/jsonObject';
import type { SetAside } from '../connections/connectionTypes';
import type { CatalogServer, CatalogTool, ToolRef } from './catalogTypes';
import { schemaProblem } from './schemaProblem';

/** What the server sent, as far as it can be read as a tool; it stays unusable, so this is for showing it. */
export function repairTool({ name, raw }: SetAside): Tool {
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

/** What the tools of one server are called elsewhere, by their own names. */
interface ToolNames {
  readonly exposed: ReadonlyMap<string, string>;
  readonly chat: () => ReadonlyMap<string, string>;
}

/** A tool of the catalog; its schemas are looked at when somebody asks for the problem, not for all tools of a list. */
export class ToolEntry implements CatalogTool {
  readonly ref: ToolRef;
  readonly key: string;
  readonly exposedName: string;
  private readonly chatNames: () => ReadonlyMap<string, string>;
  private checked: { readonly problem: Problem | undefined } | undefined;

  constructor(
    { id, key }: CatalogServer,
    /** What it was made of; the same makes the same. */
    readonly sent: Tool | SetAside,
    readonly tool: Tool,
    { exposed, chat }: ToolNames,
    private readonly setAside: Problem | undefined,
  ) {
    this.ref = { server: id, name: tool.name };
    this.key = key;
    this.exposedName = exposed.get(tool.name) ?? '';
    this.chatNames = chat;
  }

  get chatName(): string {
    return this.chatNames().get(this.tool.name) ?? '';
  }

  get problem(): Problem | undefined {
    this.checked ??= { problem: this.setAside ?? schemaProblem(this.tool) };
    return this.checked.problem;
  }
}
