import {
  type Client,
  ProtocolError,
  type ServerCapabilities,
  type SubscriptionFilter,
} from '@modelcontextprotocol/client';
import { Backoff } from '../../base/backoff';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { followWanted } from './followWanted';
import { plainText } from '../../base/plainText';
import type { SessionContext } from './sessionTypes';

const RETRIES = Backoff.of(1_000, 5_000, 30_000, 60_000);
const SLOWEST_MS = 60_000;
const STEADY_MS = 60_000;

interface Listener {
  /** `honored`: what of the filter the server agreed to. */
  onOpen(honored: SubscriptionFilter): void;
  /** It stood and was not closed from here; it is opened anew. */
  onEnd(): void;
}

/**
 * Keeps a `subscriptions/listen` open (stateless era) and opens it anew, ever more slowly, when it ends; the SDK would
 * not. A server that refuses it is asked a few times only.
 */
function keepListening(
  client: Client,
  filter: SubscriptionFilter,
  { clock, limits, log }: SessionContext,
  listener?: Listener,
): Disposable {
  const store = new DisposableStore();
  const abort = new AbortController();
  store.defer(() => abort.abort());
  let retries = RETRIES;

  const open = async (): Promise<void> => {
    const opened = clock.now();
    let isRefused = false;
    try {
      const subscription = await client.listen(filter, { signal: abort.signal, timeout: limits.requestMs });
      if (!store.isDisposed) {
        listener?.onOpen(subscription.honoredFilter);
      }
      await subscription.closed;
      if (store.isDisposed) {
        return;
      }
      listener?.onEnd();
    } catch (error) {
      isRefused = error instanceof ProtocolError;
      log.debug(`listen: ${plainText(String(error))}`);
    }
    if (clock.now() - opened > STEADY_MS) {
      retries = retries.reset();
    }
    const next = retries.next() ?? (isRefused ? undefined : { delay: SLOWEST_MS, policy: retries });
    if (next && !store.isDisposed) {
      retries = next.policy;
      const timer = store.add(
        clock.after(next.delay, () => {
          store.release(timer);
          void open();
        }),
      );
    }
  };
  void open();
  return store;
}

/** Listens for the list changes that the server declares (stateless era). */
export function listenForChanges(
  client: Client,
  capabilities: ServerCapabilities,
  context: SessionContext,
): Disposable {
  const filter = {
    ...(capabilities.tools?.listChanged ? { toolsListChanged: true } : {}),
    ...(capabilities.prompts?.listChanged ? { promptsListChanged: true } : {}),
    ...(capabilities.resources?.listChanged ? { resourcesListChanged: true } : {}),
  };
  return Object.keys(filter).length === 0 ? new DisposableStore() : keepListening(client, filter, context);
}

/**
 * Listens for updates of the resources that are wanted (stateless era), on one stream beside that of the list changes.
 * When others are wanted, a new stream opens before the old one closes, so that no update is lost between them.
 */
export function listenToWanted(client: Client, context: SessionContext): Disposable {
  const { wanted, log, onResourceUpdated } = context;
  const store = new DisposableStore();
  const refused = new Set<string>();
  /** The stream that stands, and the one that is to take its place. */
  let standing: { readonly stream: Disposable; readonly uris: readonly string[] } | undefined;
  let opening: Disposable | undefined;

  const take = (stream: Disposable, uris: readonly string[], honored: ReadonlySet<string>): void => {
    if (standing?.stream !== stream) {
      standing?.stream.dispose();
      standing = { stream, uris };
      opening = undefined;
    }
    for (const uri of uris) {
      if (!honored.has(uri)) {
        if (!refused.has(uri)) {
          refused.add(uri);
          log.warn(`The server does not tell of updates of ${plainText(uri)}.`);
        }
      } else if (wanted.resume(uri)) {
        onResourceUpdated(uri);
      }
    }
  };

  const listenTo = (uris: readonly string[]): Disposable => {
    const stream = keepListening(client, { resourceSubscriptions: [...uris] }, context, {
      onOpen: ({ resourceSubscriptions }) => take(stream, uris, new Set(resourceSubscriptions)),
      onEnd: () => wanted.lapse(uris),
    });
    return stream;
  };

  store.add(
    followWanted(wanted.uris, (uris) => {
      opening?.dispose();
      opening = undefined;
      if (uris.size > 0) {
        opening = listenTo([...uris]);
      } else {
        standing?.stream.dispose();
        standing = undefined;
      }
    }),
  );
  store.defer(() => {
    opening?.dispose();
    standing?.stream.dispose();
    wanted.lapse(standing?.uris ?? []);
  });
  return store;
}
