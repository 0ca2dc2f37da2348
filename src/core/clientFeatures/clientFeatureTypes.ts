import type { ElicitResult, Root } from '@modelcontextprotocol/client';
import type { ReadonlySignal } from '@preact/signals-core';
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

/** What a server asks the person for (spec: client/elicitation, form mode); nothing of it is trusted. */
export interface ElicitationRequest {
  readonly server: ServerDefinition;
  readonly message: string;
  /** A flat object schema, as it was sent. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** What is wrong with an answer, before it is given; one that does not fit is not sent. */
  check(content: Readonly<Record<string, unknown>>): Promise<ArgumentsProblem | undefined>;
}

/** The port to the checks against JSON Schemas; `what` names the schema in the log. */
export type SchemaCheck = (schema: object, value: unknown, what: string) => Promise<Misfit | undefined>;

/**
 * Puts a server's question to whoever answers here; one at a time per server. The signal aborts when the server no longer
 * waits, whatever is answered then.
 */
export interface ElicitationUi {
  ask(request: ElicitationRequest, signal: AbortSignal): Promise<ElicitResult>;
}
