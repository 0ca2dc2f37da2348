import { type Disposable, DisposableStore } from '../../base/disposable';
import { Limiter } from '../../base/sequencer';
import { followWanted } from './followWanted';
import { plainText } from '../../base/plainText';
import type { Session, SessionContext } from './sessionTypes';

/** Requests of one server under way at the same time. */
const CONCURRENT = 8;

/**
 * Session era: keeps the server subscribed to the resources that are wanted, each once, by `resources/subscribe` and
 * `resources/unsubscribe` (spec: server/resources, subscriptions). For one resource they go out one after another.
 */
export function subscribeToWanted(
  session: Pick<Session, 'request' | 'isLost'>,
  { wanted, log, onResourceUpdated, onLost }: SessionContext,
): Disposable {
  const store = new DisposableStore();
  const requests = new Limiter(CONCURRENT);
  const subscribed = new Set<string>();
  const refused = new Set<string>();
  const busy = new Set<string>();

  const isWanted = (uri: string): boolean => wanted.uris.peek().has(uri);
  const isSettled = (uri: string): boolean =>
    store.isDisposed || (isWanted(uri) ? subscribed.has(uri) || refused.has(uri) : !subscribed.has(uri));

  /** Whether the server agreed. */
  const request = async (method: string, uri: string): Promise<boolean> => {
    try {
      await session.request(method, { uri }, {});
      return true;
    } catch (error) {
      if (session.isLost(error)) {
        store.dispose();
        onLost(error);
      } else if (!store.isDisposed) {
        log.warn(`${method} of ${plainText(uri)} failed: ${plainText(String(error))}`);
      }
      return false;
    }
  };

  const subscribe = async (uri: string): Promise<void> => {
    if (await request('resources/subscribe', uri)) {
      subscribed.add(uri);
      if (!store.isDisposed && wanted.resume(uri)) {
        onResourceUpdated(uri);
      }
    } else if (isWanted(uri)) {
      refused.add(uri);
    }
  };

  const unsubscribe = async (uri: string): Promise<void> => {
    await request('resources/unsubscribe', uri);
    subscribed.delete(uri);
  };

  const settle = async (uri: string): Promise<void> => {
    if (busy.has(uri)) {
      return;
    }
    busy.add(uri);
    while (!isSettled(uri)) {
      await requests.run(async () => {
        // Its turn may have come late.
        if (!isSettled(uri)) {
          await (isWanted(uri) ? subscribe(uri) : unsubscribe(uri));
        }
      });
    }
    busy.delete(uri);
  };

  store.add(
    followWanted(wanted.uris, (uris) => {
      for (const uri of refused) {
        if (!uris.has(uri)) {
          refused.delete(uri);
        }
      }
      for (const uri of new Set([...uris, ...subscribed])) {
        void settle(uri);
      }
    }),
  );
  store.defer(() => wanted.lapse(subscribed));
  return store;
}
