import { effect, untracked } from '@preact/signals-core';
import { toDisposable } from '../../base/disposable';
import type { ClientFeature } from '../connections/connectionTypes';
import type { RootsSource } from './clientFeatureTypes';

/**
 * Roots (spec: client/roots). The SDK sends the stateless era's `input_required` to the same handler; that era has no
 * notification, servers ask anew with every call.
 */
export function rootsFeature(source: RootsSource): ClientFeature {
  return {
    capabilities: { roots: { listChanged: true } },
    attach(client, server) {
      const roots = source.rootsFor(server);
      client.setRequestHandler('roots/list', () => ({ roots: [...roots.peek()] }));
      let known = roots.peek();
      const stop = effect(() => {
        const now = roots.value;
        if (now === known) {
          return;
        }
        known = now;
        untracked(() => {
          // Before the handshake is over nothing may be sent, and the server has not asked yet.
          if (client.getProtocolEra() === 'legacy') {
            client.sendRootsListChanged().catch(() => undefined);
          }
        });
      });
      return toDisposable(() => {
        stop();
        client.removeRequestHandler('roots/list');
      });
    },
  };
}
