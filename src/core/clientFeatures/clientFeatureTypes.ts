import type { ElicitResult, Root } from '@modelcontextprotocol/client';
import type { ReadonlySignal } from '@preact/signals-core';
import type { ServerDefinition } from '../config/configTypes';

/** The directories that a server may see; `file://` URIs only (spec: client/roots). */
export interface RootsSource {
  rootsFor(server: ServerDefinition): ReadonlySignal<readonly Root[]>;
}

/** What a server asks the person for (spec: client/elicitation, form mode); nothing of it is trusted. */
export interface ElicitationRequest {
  readonly server: ServerDefinition;
  readonly message: string;
  /** A flat object schema, as it was sent. */
  readonly schema: Readonly<Record<string, unknown>>;
}

/** Puts a server's question to whoever answers here. The signal aborts when the server no longer waits. */
export interface ElicitationUi {
  ask(request: ElicitationRequest, signal: AbortSignal): Promise<ElicitResult>;
}
