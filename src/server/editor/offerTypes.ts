import type {
  CallToolResult,
  Prompt,
  GetPromptResult,
  ReadResourceResult,
  Resource,
  ResourceTemplateType,
  Tool,
} from '@modelcontextprotocol/server';
import type { Disposable } from '../../base/disposable';
import type { AgentClient } from '../serverTypes';

/** Who asks, and what the request brought along. */
export interface OfferContext {
  readonly client: AgentClient;
  readonly signal: AbortSignal;
  /** Does nothing where the client did not ask for progress. */
  progress(update: { readonly progress: number; readonly total?: number; readonly message?: string }): void;
}

export interface CompletionValues {
  /** At most 100, the best first. */
  readonly values: readonly string[];
  readonly total: number;
  readonly hasMore: boolean;
}

/** A tool of the editor server. `run` gets arguments that its schema has accepted. */
export interface EditorTool {
  readonly definition: Tool;
  /** `read` is always on; the others a person turns on, and confirms each use. */
  readonly group: 'read' | 'edit' | 'run';
  /** A rejection with PorticoError becomes a result with `isError` that says what to do next. */
  run(args: Readonly<Record<string, unknown>>, context: OfferContext): Promise<CallToolResult>;
}

/** One kind of resource: the views of the editor, diagnostics, files, symbols. */
export interface ResourceKind {
  /** Those that stand at the top of the list, in order. */
  curated(): readonly Resource[];
  /**
   * A page of those that follow the curated ones, in stable order; absent where there are no others. Rejects with
   * ARGUMENTS_INVALID for a cursor that is none of its own or too old.
   */
  page?(cursor: string | undefined): Promise<{ readonly resources: readonly Resource[]; readonly nextCursor?: string }>;
  templates(): readonly ResourceTemplateType[];
  /** Whether this kind answers for the URI, whatever its casing or encoding. */
  owns(uri: string): boolean;
  /** Rejects with PorticoError RESOURCE_UNKNOWN where there is no such resource, or none that may be given. */
  read(uri: string, context: OfferContext): Promise<ReadResourceResult>;
  complete(
    template: string,
    variable: string,
    value: string,
    given: Readonly<Record<string, string>>,
  ): Promise<CompletionValues | undefined>;
  /** Calls back whenever the content may have changed, until disposed. Rejects as `read` does. */
  watch(uri: string, changed: () => void): Promise<Disposable>;
  /** Text that is the same for the same content, at once; absent where reading is as cheap. */
  fingerprint?(uri: string, context: OfferContext): Promise<string>;
}

export interface EditorPrompt {
  readonly definition: Prompt;
  complete(argument: string, value: string): Promise<CompletionValues | undefined>;
  get(args: Readonly<Record<string, string>>, context: OfferContext): Promise<GetPromptResult>;
}

/** What a client may be given or not, as one; the groups of tools cut across it. */
export type OfferSubject = 'diagnostics' | 'views' | 'files' | 'symbols' | 'git' | 'tasks';

/** Everything that the editor server offers about one subject. */
export interface OfferSet {
  /** Absent for what belongs to all of them, and is on for everybody. */
  readonly subject?: OfferSubject;
  readonly resources: readonly ResourceKind[];
  readonly tools: readonly EditorTool[];
  readonly prompts: readonly EditorPrompt[];
}

/** What one client may have. */
export interface ClientScope {
  readonly groups: ReadonlySet<EditorTool['group']>;
  readonly subjects: ReadonlySet<OfferSubject>;
}
