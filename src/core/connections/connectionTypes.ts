import type {
  CallToolResult,
  Client,
  ClientCapabilities,
  CompleteResult,
  GetPromptResult,
  Implementation,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplateType,
  ServerCapabilities,
  Tool,
} from '@modelcontextprotocol/client';
import type { ReadonlySignal } from '@preact/signals-core';
import type { Disposable } from '../../base/disposable';
import type { Event } from '../../base/emitter';
import type { PorticoError, Problem } from '../../base/errors';
import type { ResolvedLaunch, ServerDefinition, StartMode } from '../config/configTypes';

/** Session era: `initialize`, 2024-11-05 to 2025-11-25. Stateless era: `server/discover`, 2026-07-28. */
export type Era = 'session' | 'stateless';

export interface ReadyInfo {
  readonly era: Era;
  readonly protocolVersion: string;
  readonly serverInfo: Implementation;
  readonly capabilities: ServerCapabilities;
  readonly instructions?: string;
}

/** The life of one connection; written by its owner alone. */
export type ConnectionState =
  | { readonly kind: 'stopped' }
  /**
   * `since` in milliseconds since the epoch. `stage` is what the row shows after a while; `installing`: connecting, but a
   * package may have to be fetched first. `signingIn`: waits for the person.
   */
  | {
      readonly kind: 'starting';
      readonly since: number;
      readonly stage: 'queued' | 'resolving' | 'launching' | 'connecting' | 'installing' | 'signingIn';
    }
  | { readonly kind: 'ready'; readonly info: ReadyInfo; readonly pid?: number }
  | { readonly kind: 'reconnecting'; readonly attempt: number; readonly of: number; readonly reason: string }
  /** `detail`: the last lines of stderr and what was run, for the tooltip. */
  | { readonly kind: 'failed'; readonly problem: Problem; readonly detail: readonly string[] };

/** An entry of a list that cannot be used, kept beside its neighbours with the reason. */
export interface SetAside {
  readonly name: string;
  readonly problem: Problem;
  /** What the server sent, untouched. */
  readonly raw: unknown;
}

/** One list of a server: what came, from where, and what had to be set aside. */
export interface ServerList<T> {
  /** `none`: never seen. `cache`: from disk. `server`: as the running server listed it. */
  readonly from: 'none' | 'cache' | 'server';
  readonly items: readonly T[];
  readonly setAside: readonly SetAside[];
  /** Why the list is not whole (a repeated cursor, a failed page); what came is kept. */
  readonly problem?: Problem;
}

export interface ServerLists {
  readonly tools: ServerList<Tool>;
  readonly resources: ServerList<Resource>;
  readonly templates: ServerList<ResourceTemplateType>;
  readonly prompts: ServerList<Prompt>;
}

export type ListKind = keyof ServerLists;

export interface ProgressUpdate {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

export interface RequestOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (update: ProgressUpdate) => void;
  /** Bounds this request in milliseconds; the connection's default otherwise. */
  readonly timeoutMs?: number;
  /** Whether the start that the request may need may ask the person something; not when absent. */
  readonly interactive?: boolean;
  /** Passed through as `_meta` (trace context and the like). */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** Answers what the call itself causes the server to ask; the editor answers otherwise. */
  readonly answerer?: Answerer;
  /** The call in the call log that it is for. */
  readonly call?: string;
  /** Nobody needs the answer at once: what may take long may go on as a task of the server. */
  readonly inBackground?: boolean;
  /** It goes on as a task of the server; the request settles with the end of that. */
  readonly onTask?: (task: { readonly server: string; readonly id: string }) => void;
}

/** A caller that is a client itself and may answer what its own call causes (elicitation, sampling). */
export interface Answerer {
  readonly capabilities: ClientCapabilities;
  /** Rejects where it cannot be asked; what it answers is not trusted. */
  answer(method: string, params: unknown, signal: AbortSignal): Promise<unknown>;
  /** Tells it, while its call goes on, that a question waits for the person elsewhere; absent where it cannot be told. */
  tell?(message: string): void;
}

export interface StartOptions {
  /** False: never ask the person anything; fail with a code instead. */
  readonly interactive: boolean;
  readonly signal?: AbortSignal;
  /** In front of waiting starts: a person or a call is waiting for it. */
  readonly urgent?: boolean;
  /** Because something of the server is used, and not because somebody wants it to run: refused for `manual`. */
  readonly forUse?: boolean;
}

/** One server, one client, one state machine. Lists are there before the first start where the cache has them. */
export interface Connection extends Disposable {
  readonly definition: ServerDefinition;
  readonly state: ReadonlySignal<ConnectionState>;
  readonly lists: ReadonlySignal<ServerLists>;
  /** What the server said of itself at its last start; from the cache when it is not running. */
  readonly lastInfo: ReadonlySignal<ReadyInfo | undefined>;
  readonly onDidUpdateResource: Event<string>;
  /** Settles once the cached lists are in (or there are none); never rejects. */
  readonly loaded: Promise<void>;

  /** Starts unless running; settles when ready, rejects with the reason otherwise. Concurrent calls share one start. */
  start(options: StartOptions): Promise<void>;
  /** Ends the process tree, or the session by DELETE. Settles when it is gone. `reason`: what waiting requests reject with. */
  stop(reason?: PorticoError): Promise<void>;
  /** Lists anew; starts first where needed. */
  refresh(options: StartOptions): Promise<void>;
  /** The lists are used: those that are fresh no longer are listed anew in the background, where the server runs. */
  freshen(): void;
  /** Drops what was listed, here and in the cache, as it was for another account. To be called while the server does not run. */
  forgetLists(): Promise<void>;
  /** Keeps the server from being stopped as idle until disposed; starts nothing. Requests hold it by themselves. */
  hold(): Disposable;

  /** These start the server first where needed; results come as the server sent them. */
  callTool(name: string, args: Readonly<Record<string, unknown>>, options?: RequestOptions): Promise<CallToolResult>;
  readResource(uri: string, options?: RequestOptions): Promise<ReadResourceResult>;
  getPrompt(name: string, args: Readonly<Record<string, string>>, options?: RequestOptions): Promise<GetPromptResult>;
  complete(
    ref:
      { readonly type: 'ref/prompt'; readonly name: string } | { readonly type: 'ref/resource'; readonly uri: string },
    argument: { readonly name: string; readonly value: string },
    context: Readonly<Record<string, string>> | undefined,
    options?: RequestOptions,
  ): Promise<CompleteResult>;
}

/** When a server may ask the person something: while it works on a request that may lead to a question. */
export interface QuestionTime {
  /** Aborts when the last such request is over; nothing where there is none. */
  untilOver(): AbortSignal | undefined;
  /**
   * Who answers instead of the editor: the caller whose request led to the question with this signal. Nothing where no
   * caller wants to, or where it cannot be told whose request it was (session era, several at once).
   */
  answererOf(question: AbortSignal): Answerer | undefined;
}

/** One of the spec's client features: its slice of the capabilities, and its handlers on a client. */
export interface ClientFeature {
  readonly capabilities: ClientCapabilities;
  /** Registers the handlers; what it returns takes away everything it left (listeners, effects). */
  attach(client: Client, server: ServerDefinition, questions: QuestionTime): AttachedFeature;
}

export interface AttachedFeature extends Disposable {
  /**
   * Does what a failed request wants done first, such as having a page visited: true where it is worth sending again.
   * Rejects with why it is not, at the latest when it was done `times` enough for this request.
   */
  recover?(error: unknown, request: Pick<RequestOptions, 'signal' | 'answerer'>, times: number): Promise<boolean>;
}

/** Decides whether a definition may start; consent lives in core/policy. Rejects with NOT_APPROVED and the like. */
export interface StartGate {
  allow(definition: ServerDefinition, options: StartOptions): Promise<void>;
}

/** Expands a definition's variables just before a start. */
export type LaunchResolver = (definition: ServerDefinition, interactive: boolean) => Promise<ResolvedLaunch>;

/** The last known answers of a server, by `launchDigest`. */
export interface ListCache {
  read(digest: string): Promise<CachedServer | undefined>;
  write(digest: string, value: CachedServer): Promise<void>;
}

export interface CachedServer {
  readonly info: ReadyInfo;
  readonly lists: ServerLists;
}

/** What the last start learnt of a server's era, so that the next one need not probe. */
export interface EraMemory {
  get(digest: string): Era | undefined;
  /** Nothing forgets what turned out to be wrong. */
  set(digest: string, era: Era | undefined): void;
}

export interface ConnectionLimits {
  /** Whole start, probe included, in milliseconds. */
  readonly startMs: number;
  /** Each request, in milliseconds. */
  readonly requestMs: number;
  /** One message on stdout, in bytes. Above it only that server is stopped. */
  readonly messageBytes: number;
  /** Starts at the same time. */
  readonly concurrentStarts: number;
  /** A server that nothing has used for so long is stopped, in milliseconds; never for 0 or where absent. */
  readonly idleMs?: number;
  /** When servers start; `onDemand` where absent. */
  readonly start?: StartMode;
}
