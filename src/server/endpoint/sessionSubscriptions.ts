import type { Server } from '@modelcontextprotocol/server';
import type { Disposable } from '../../base/disposable';
import type { Logger } from '../../base/log';
import type { AgentClient } from '../serverTypes';
import { toResourceError } from '../wireErrors';
import type { Subscriptions } from './subscriptions';

/** `resources/subscribe` and `resources/unsubscribe` of one session (spec: server/resources#subscriptions, to 2025-11-25). */
export function addSubscriptionHandlers(
  server: Server,
  client: AgentClient,
  subscriptions: Subscriptions,
  log: Logger,
): void {
  const held = new Map<string, Promise<Disposable>>();
  const release = (uri: string): void => {
    const subscription = held.get(uri);
    held.delete(uri);
    subscription?.then(
      (it) => it.dispose(),
      () => log.debug('A subscription that failed was given up.'),
    );
  };

  server.setRequestHandler('resources/subscribe', async ({ params: { uri } }) => {
    const subscription =
      held.get(uri) ??
      subscriptions.add(uri, client, server, () => {
        server
          .sendResourceUpdated({ uri })
          .catch((error: unknown) => log.debug(`A change was not told: ${String(error)}`));
      });
    held.set(uri, subscription);
    try {
      await subscription;
    } catch (error) {
      held.delete(uri);
      throw toResourceError(error, client.label, uri);
    }
    return {};
  });

  server.setRequestHandler('resources/unsubscribe', async ({ params: { uri } }) => {
    release(uri);
    return {};
  });

  const { onclose } = server;
  server.onclose = () => {
    [...held.keys()].forEach(release);
    onclose?.();
  };
}
