import { type ClientCapabilities, mergeCapabilities } from '@modelcontextprotocol/client';
import type { SessionContext } from './sessionTypes';

/** What this host offers to a server: what its features do together. */
export function capabilitiesOf(context: SessionContext): ClientCapabilities {
  return context.features.reduce<ClientCapabilities>(
    (all, feature) => mergeCapabilities(all, feature.capabilities),
    {},
  );
}
