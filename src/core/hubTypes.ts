import type {
  CallToolResult,
  CompleteResult,
  GetPromptResult,
  ReadResourceResult,
  Root,
} from '@modelcontextprotocol/client';
import type { ReadonlySignal } from '@preact/signals-core';
import type { Disposable } from '../base/disposable';
import type { Event } from '../base/emitter';
import type { Problem } from '../base/errors';
import type { Catalog, ToolRef, UriTemplates } from './catalog/catalogTypes';
import type { Auth } from './connections/auth/authTypes';
import type { Sampling } from './clientFeatures/samplingTypes';
import type { ConfigEdits, ConfigProblem, Recognition, ServerDefinition } from './config/configTypes';
import type {
  ConnectionState,
  ReadyInfo,
  RequestOptions,
  ServerLists,
  StartOptions,
} from './connections/connectionTypes';
import type { ServerTask } from './connections/taskTypes';
import type { Approvals, ArgumentsProblem, CallLog, CallOptions, Consent, ModelPart } from './policy/policyTypes';

/** What a server is to the person: the connection's state, or the reason why there is none. One state, never flags. */
export type ServerStatus =
  | ConnectionState
  | { readonly kind: 'off' }
  | { readonly kind: 'self' }
  | { readonly kind: 'restricted' }
  | { readonly kind: 'notApproved'; readonly refused: boolean }
  /** It wants a sign-in, or another one than it got; derived from the connection's failure UNAUTHORIZED. */
  | { readonly kind: 'signInRequired'; readonly problem: Problem }
  /** The editor's own client runs it for the editor's chat; Portico has no process of its own. */
  | { readonly kind: 'editor' };

/** One configured server as surfaces see it. */
export interface ServerView {
  readonly id: string;
  readonly definition: ServerDefinition;
  readonly status: ReadonlySignal<ServerStatus>;
  readonly lists: ReadonlySignal<ServerLists>;
  readonly lastInfo: ReadonlySignal<ReadyInfo | undefined>;
}

export interface ResourceUpdate {
  readonly server: string;
  readonly uri: string;
}

/** All that editor, gateway and CLI see of the host. Operations reject with PorticoError or the wire's own error. */
export interface Hub extends Disposable {
  /** In config order. A view keeps its identity while its entry exists. */
  readonly servers: ReadonlySignal<readonly ServerView[]>;
  readonly configProblems: ReadonlySignal<readonly ConfigProblem[]>;
  readonly catalog: Catalog;
  readonly callLog: CallLog;
  readonly approvals: Approvals;
  readonly consent: Consent;
  /** What servers had language models do. */
  readonly sampling: Sampling;
  readonly onDidUpdateResource: Event<ResourceUpdate>;
  /** What goes on at servers, and what of it has ended lately; oldest first. */
  readonly tasks: ReadonlySignal<readonly ServerTask[]>;
  /** Settles once config and caches have been read the first time. */
  readonly ready: Promise<void>;

  server(id: string): ServerView | undefined;
  start(id: string, options: StartOptions): Promise<void>;
  stop(id: string): Promise<void>;
  restart(id: string, options: StartOptions): Promise<void>;
  refresh(id: string, options: StartOptions): Promise<void>;
  /**
   * Somebody looks at the lists of a server, or of all: those that their servers said to be fresh for a time that is over
   * are listed anew in the background, where the server runs (2026-07-28 server/utilities/caching).
   */
  freshen(id?: string): void;

  /** The single way to a tool call: consent, validation, approval, call, result checks, log. */
  callTool(ref: ToolRef, args: Readonly<Record<string, unknown>>, options: CallOptions): Promise<CallToolResult>;
  /** What is wrong with the arguments, before a call is made; nothing where they fit. */
  checkArguments(ref: ToolRef, args: Readonly<Record<string, unknown>>): Promise<ArgumentsProblem | undefined>;
  /** What a model gets of a result, whatever its API; errors are said to be errors. */
  modelParts(result: CallToolResult): Promise<readonly ModelPart[]>;
  /** Asks the server to stop a task; whoever waits for it is told that it was cancelled. */
  cancelTask(server: string, task: string): Promise<void>;
  /** Lets a task go on with nobody waiting for it (`background`). */
  keepTask(server: string, task: string): Promise<void>;
  /** Of a task that has ended; nothing where it has none. */
  taskResult(server: string, task: string): Promise<CallToolResult | undefined>;
  readResource(server: string, uri: string, options?: RequestOptions): Promise<ReadResourceResult>;
  /**
   * Wants updates of a resource, told by `onDidUpdateResource`, until disposed. Starts nothing: whenever the server runs
   * and can be subscribed to, it is subscribed once, however many want it; after a reconnect the resource counts as updated.
   */
  subscribe(server: string, uri: string): Disposable;
  getPrompt(
    server: string,
    name: string,
    args: Readonly<Record<string, string>>,
    options?: RequestOptions,
  ): Promise<GetPromptResult>;
  complete(
    server: string,
    ref:
      { readonly type: 'ref/prompt'; readonly name: string } | { readonly type: 'ref/resource'; readonly uri: string },
    argument: { readonly name: string; readonly value: string },
    context: Readonly<Record<string, string>> | undefined,
    options?: RequestOptions,
  ): Promise<CompleteResult>;
  /** Reading and expanding of URI templates; loaded at first use. */
  uriTemplates(): Promise<UriTemplates>;
  /** Signing in and out of servers over HTTP; loaded at first use. */
  auth(): Promise<Auth>;
  /** The directories that a server is told of, live; settles once somebody has looked which are there. */
  rootsOf(server: string): Promise<ReadonlySignal<readonly Root[]>>;
  /** What a pasted text (command line, URL, package, README JSON, install link) means as servers. */
  recognizeServer(text: string): Promise<Recognition>;
  /** Edits of configuration files as text; loaded at first use. */
  configEdits(): Promise<ConfigEdits>;
  /** Stops everything; settles when no child process is left. */
  shutdown(): Promise<void>;
}
