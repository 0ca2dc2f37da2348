import type { Prompt, Resource, ResourceTemplateType, Tool } from '@modelcontextprotocol/client';
import type { ReadonlySignal } from '@preact/signals-core';
import type { Problem } from '../../base/errors';
import type { ServerLists } from '../connections/connectionTypes';

/** A tool by its identity: the server's id and the name exactly as the server has it. */
export interface ToolRef {
  readonly server: string;
  readonly name: string;
}

export interface CatalogTool {
  readonly ref: ToolRef;
  /** The server's config key, as people read it. */
  readonly key: string;
  /** `<key>_<tool>`: what models see in `@portico`, the broker and the agents' gateway; `^[A-Za-z0-9_-]{1,48}$`, distinct, stable. */
  readonly exposedName: string;
  /** The name in the per-server definition of the editor's chat: as the server has it where it fits. */
  readonly chatName: string;
  readonly tool: Tool;
  /** Why it cannot be called, where it cannot; it is listed all the same. */
  readonly problem?: Problem;
}

/** One server as the catalog sees it: its identity, its config key, and what it offers. */
export interface CatalogServer {
  readonly id: string;
  readonly key: string;
  readonly lists: ReadonlySignal<ServerLists>;
}

export interface CatalogEntry<T> {
  readonly server: string;
  readonly key: string;
  readonly item: T;
  readonly problem?: Problem;
}

export interface SearchHit {
  readonly tool: CatalogTool;
  readonly score: number;
}

/**
 * A tool's arguments as models' APIs take them: a self-contained, bounded tree; `notes` are sentences for the description
 * that say what the tree cannot. Arguments are still checked against the tool's own schema.
 */
export type ModelSchema =
  | { readonly schema: Readonly<Record<string, unknown>>; readonly notes?: string; readonly problem?: undefined }
  | { readonly problem: Problem };

/** What all servers offer, as one; derived from the connections and nothing else. */
export interface Catalog {
  readonly tools: ReadonlySignal<readonly CatalogTool[]>;
  readonly resources: ReadonlySignal<readonly CatalogEntry<Resource>[]>;
  readonly templates: ReadonlySignal<readonly CatalogEntry<ResourceTemplateType>[]>;
  readonly prompts: ReadonlySignal<readonly CatalogEntry<Prompt>[]>;
  toolByExposedName(name: string): CatalogTool | undefined;
  toolByRef(ref: ToolRef): CatalogTool | undefined;
  toolsOf(server: string): readonly CatalogTool[];
  /** The copy for models of the tool's input schema, or why there is none. */
  modelSchemaOf(tool: CatalogTool): Promise<ModelSchema>;
  /** Ranked, best first. Never throws on odd queries. */
  search(query: string, limit?: number): Promise<readonly SearchHit[]>;
}
