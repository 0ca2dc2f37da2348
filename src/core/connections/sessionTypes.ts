import type { Implementation, LoggingLevel, Tool } from '@modelcontextprotocol/client';
import type { ReadonlySignal } from '@preact/signals-core';
import type { Clock } from '../../base/clock';
import type { Disposable } from '../../base/disposable';
import type { PorticoError } from '../../base/errors';
import type { Logger } from '../../base/log';
import type { ServerDefinition } from '../config/configTypes';
import type { ConnectionAuth } from './auth/authTypes';
import type { Trees } from './treeTypes';
import type { ConnectionTuning } from './connectionTuning';
import type {
  Answerer,
  ClientFeature,
  ConnectionLimits,
  EraMemory,
  ListKind,
  ReadyInfo,
  RequestOptions,
} from './connectionTypes';
import type { NetworkSettings } from './remote/networkTypes';
import type { WantedResources } from './wantedResources';

/** What a process has written beside its messages, at the time of asking. */
export interface ProcessOutput {
  /** The last lines, which a failed row shows in its tooltip. */
  readonly stderrLines: readonly string[];
  /** The last of stdout that was no message. */
  readonly lastStray: string | undefined;
  /** What is wrong with it and who can mend it, where that is known. */
  readonly strayReason: string | undefined;
}

/** What a session is opened with. */
export interface SessionContext {
  readonly server: ServerDefinition;
  readonly clientInfo: Implementation;
  readonly features: readonly ClientFeature[];
  readonly limits: ConnectionLimits;
  readonly network?: NetworkSettings;
  readonly trees?: () => Promise<Trees>;
  readonly eras: EraMemory;
  readonly wanted: WantedResources;
  readonly logLevel?: ReadonlySignal<LoggingLevel>;
  readonly tuning: ConnectionTuning;
  readonly log: Logger;
  readonly clock: Clock;
  readonly auth?: () => Promise<ConnectionAuth>;
  /** Aborts the opening with the reason to reject with. */
  readonly signal: AbortSignal;
  onStage(stage: 'launching' | 'connecting'): void;
  onOutput(output: ProcessOutput): void;
  onListChanged(kinds: readonly ListKind[]): void;
  onResourceUpdated(uri: string): void;
  /** The server has forgotten the session, as a request showed that nobody else waits for. */
  onLost(error: unknown): void;
}

/** What speaks for a task where a tool may run either way. */
export interface TaskWish {
  /** Nobody needs the answer at once. */
  readonly inBackground: boolean;
  /** It took long before. */
  readonly isSlow: boolean;
}

/** What goes on at the server beyond its request: until it is disposed, the server may ask as during one. */
export interface Work extends Disposable {
  /** Puts the questions of an `input_required` to those who answer here, and gives the `inputResponses`. */
  answer(inputRequests: unknown, signal: AbortSignal): Promise<Readonly<Record<string, unknown>>>;
}

export interface SessionRequestOptions extends RequestOptions {
  /** Sent with the request where the transport sends headers with each. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** One handshaken conversation with a server, from its ready to its end. */
export interface Session {
  readonly info: ReadyInfo;
  readonly pid: number | undefined;
  /** Whether parameters of tools go as headers too (2026-07-28, Streamable HTTP). */
  readonly mirrorsParameters: boolean;
  /** Why it ended, once it has. */
  readonly endReason: PorticoError | undefined;
  /** Settles at the end, whoever caused it. */
  readonly ended: Promise<PorticoError>;
  /** Sends one request; the result comes as it was sent. Wire errors stay the SDK's; the rest are PorticoErrors. */
  request(method: string, params: Readonly<Record<string, unknown>>, options: SessionRequestOptions): Promise<unknown>;
  /** What the parameters of a call say of tasks; nothing where it is called plainly. */
  taskParam(tool: () => Tool | undefined, wish: TaskWish): Readonly<Record<string, unknown>> | undefined;
  /** A task of the server, by its id. */
  beginWork(task: string, answerer: Answerer | undefined): Work;
  /** Whether this failure of a request means that the server has forgotten the session. */
  isLost(error: unknown): boolean;
  /** Settles when the process tree or the remote session is gone. `lost`: there is no remote session to end any more. `reason`: why. */
  close(lost?: boolean, reason?: PorticoError): Promise<void>;
}

/** What a connection has beside its own operations, for those who follow work over several requests. */
export interface SessionHolder {
  /** The session in use; nothing unless ready. Changes with the connection's `state`. */
  readonly session: Session | undefined;
  /** The server has forgotten this session: opens a new one. */
  lost(session: Session, error: unknown): void;
}
