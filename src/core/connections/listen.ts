import type { Client, ServerCapabilities } from '@modelcontextprotocol/client';
import { Backoff } from '../../base/backoff';
import type { Clock } from '../../base/clock';
import { type Disposable, DisposableStore } from '../../base/disposable';
import type { Logger } from '../../base/log';

const RETRIES = Backoff.of(1_000, 5_000, 30_000, 60_000);
const STEADY_MS = 60_000;

/**
 * Keeps a `subscriptions/listen` open (stateless era) for the list changes that the server declares, and opens it anew,
 * ever more slowly, when the server ends it; the SDK would not.
 */
export function listenForChanges(
  client: Client,
  capabilities: ServerCapabilities,
  clock: Clock,
  log: Logger,
): Disposable {
  const store = new DisposableStore();
  const filter = {
    ...(capabilities.tools?.listChanged ? { toolsListChanged: true } : {}),
    ...(capabilities.prompts?.listChanged ? { promptsListChanged: true } : {}),
    ...(capabilities.resources?.listChanged ? { resourcesListChanged: true } : {}),
  };
  if (Object.keys(filter).length === 0) {
    return store;
  }
  let retries = RETRIES;

  const open = async (): Promise<void> => {
    const opened = clock.now();
    try {
      const subscription = await client.listen(filter);
      store.defer(() => {
        subscription.close().catch((error: unknown) => log.debug(`listen: ${String(error)}`));
      });
      if ((await subscription.closed) === 'local') {
        return;
      }
    } catch (error) {
      log.debug(`listen: ${String(error)}`);
    }
    if (clock.now() - opened > STEADY_MS) {
      retries = retries.reset();
    }
    const next = retries.next();
    if (!next || store.isDisposed) {
      return;
    }
    retries = next.policy;
    store.add(clock.after(next.delay, () => void open()));
  };
  void open();
  return store;
}
