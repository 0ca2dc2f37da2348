import { effect, untracked } from '@preact/signals-core';
import { DisposableStore } from '../../base/disposable';
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
      const store = new DisposableStore();
      client.setRequestHandler('roots/list', async () => ({ roots: [...(await source.rootsFor(server)).peek()] }));
      store.defer(() => client.removeRequestHandler('roots/list'));
      const follow = async (): Promise<void> => {
        const roots = await source.rootsFor(server);
        let known = roots.peek();
        store.defer(
          effect(() => {
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
          }),
        );
      };
      // Without an answer there is nothing to tell of; a server that asks gets the error.
      follow().catch(() => undefined);
      return store;
    },
  };
}
