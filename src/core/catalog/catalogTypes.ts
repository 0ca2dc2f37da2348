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

/** A row of the tree that one server's resources make by their URIs. Ids are stable over changes of the list. */
export type ResourceNode =
  | {
      readonly kind: 'folder';
      readonly id: string;
      /** Segments for people to read; single chains are one folder (`docs/guide`). */
      readonly label: string;
      /** `origin`: scheme and authority. `range`: a stretch of a level that is too long to be shown in one. */
      readonly role: 'origin' | 'segment' | 'range';
      /** Resources below it. */
      readonly count: number;
    }
  | { readonly kind: 'resource'; readonly id: string; readonly label: string; readonly resource: Resource };

/** One server's resources by the segments of their URIs. A resource whose URI is also a folder stands beside that folder. */
export interface ResourceTree {
  /** The rows below a folder, or the top level; costs what it returns. Nothing for an id that is gone. */
  children(folder?: string): readonly ResourceNode[];
  /** The folder that a row stands in; nothing at the top. */
  parentOf(id: string): ResourceNode | undefined;
  /** The row of a resource. */
  nodeOf(uri: string): ResourceNode | undefined;
}

/** A variable of a URI template in the order of its appearance (RFC 6570, section 2.3). */
export interface TemplateVariable {
  readonly name: string;
  /** `*`: a list or an object may be given, and each value is expanded on its own (section 2.4.2). */
  readonly explode: boolean;
  /** `:n`: only the first n characters are used (section 2.4.1). */
  readonly prefix?: number;
}

export type TemplateValue = string | readonly string[] | Readonly<Record<string, string>>;

/** URI templates, every form of RFC 6570 (levels 1 to 4). Both throw TEMPLATE_INVALID where the template is malformed. */
export interface UriTemplates {
  variables(template: string): readonly TemplateVariable[];
  /** An absent value leaves its variable out (section 3.2.1). */
  expand(template: string, values: Readonly<Record<string, TemplateValue | undefined>>): string;
}

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
  modelSchemaOf(entry: Pick<CatalogTool, 'tool'>): Promise<ModelSchema>;
  /** Ranked, best first. Never throws on odd queries. */
  search(query: string, limit?: number): Promise<readonly SearchHit[]>;
  /** The tree of a server's resources; made in slices when first asked for, and anew when the list changed. */
  resourceTreeOf(server: string): Promise<ResourceTree>;
  /** Resources of all servers, best first: every word must be in name, title, URI or description. */
  searchResources(query: string, limit?: number): Promise<readonly CatalogEntry<Resource>[]>;
}
