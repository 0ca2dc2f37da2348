import type { Root } from '@modelcontextprotocol/client';
import type { ReadonlySignal } from '@preact/signals-core';
import type { ServerDefinition } from '../config/configTypes';

/** The directories that a server may see; `file://` URIs only (spec: client/roots). */
export interface RootsSource {
  rootsFor(server: ServerDefinition): ReadonlySignal<readonly Root[]>;
}
