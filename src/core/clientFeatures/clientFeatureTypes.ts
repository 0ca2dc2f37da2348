import type { ElicitResult, Root } from '@modelcontextprotocol/client';
import type { ReadonlySignal } from '@preact/signals-core';
import type { WebAddress } from '../../base/webAddress';
import type { ServerDefinition } from '../config/configTypes';
import type { ArgumentsProblem, Misfit } from '../policy/policyTypes';

/** The directories that a server may see; `file://` URIs only (spec: client/roots). */
export interface RootsSource {
  /**
   * Looks which directories are there, for a second at most, and settles with the server's roots: always the same signal,
   * whose value changes when the roots do and only then.
   */
  rootsFor(server: ServerDefinition): Promise<ReadonlySignal<readonly Root[]>>;
}

/** The client whose call led to a question, such as the editor's chat. */
export interface AskingCaller {
  /** Puts the question there; absent where that client declares no forms. Rejects where it could not be asked. */
  ask?(signal: AbortSignal): Promise<ElicitResult>;
  /** Tells that client where the person is asked instead. */
  tell(where: string): void;
}

/** What a server asks the person for (spec: client/elicitation, form mode); nothing of it is trusted. */
export interface ElicitationRequest {
  readonly server: ServerDefinition;
  readonly message: string;
  /** A flat object schema, as it was sent. */
  readonly schema: Readonly<Record<string, unknown>>;
  readonly caller?: AskingCaller;
  /** What is wrong with an answer, before it is given; one that does not fit is not sent. */
  check(content: Readonly<Record<string, unknown>>): Promise<ArgumentsProblem | undefined>;
}

/** A page that a server wants the person to visit (spec: client/elicitation, URL mode); nothing of it is trusted. */
export interface VisitRequest {
  readonly server: ServerDefinition;
  readonly message: string;
  readonly page: WebAddress;
  readonly caller?: AskingCaller;
  /** Whether the server waits for the request to be sent again after the visit; otherwise it goes on by itself. */
  readonly retries: boolean;
}

export type Visit =
  | { readonly action: 'decline' | 'cancel' }
  /** The page was opened. `over`: true when the person says that they are through with it, false where they give up. */
  | { readonly action: 'accept'; readonly over: Promise<boolean> };

/** The port to the checks against JSON Schemas; `what` names the schema in the log. */
export type SchemaCheck = (schema: object, value: unknown, what: string) => Promise<Misfit | undefined>;

/**
 * Puts a server's question to whoever answers here; one at a time per server. The signal aborts when the server no longer
 * waits, whatever is answered then.
 */
export interface ElicitationUi {
  ask(request: ElicitationRequest, signal: AbortSignal): Promise<ElicitResult>;
  /** Opens a page where the person agrees to the whole address, never before. URL mode is not declared without. */
  visit?(request: VisitRequest, signal: AbortSignal): Promise<Visit>;
}
