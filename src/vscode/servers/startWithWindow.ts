import { effect, untracked } from '@preact/signals-core';
import { type Disposable, DisposableStore } from '../../base/disposable';
import type { Hub } from '../../core/hubTypes';
import type { Services } from '../interop/contribution';

/** `onOpen`: approved servers start with the window, in the background, and nothing is asked or told. */
export function startWithWindow({ hub, settings, logs }: Services): Disposable {
  const store = new DisposableStore();
  const begun = new Set<string>();
  const follow = (): void => {
    store.defer(
      effect(() => {
        const start = settings.start.value;
        const wanted = hub.servers.value.filter(
          ({ id, definition, status }) =>
            definition.owner === 'portico' &&
            (definition.start ?? start) === 'onOpen' &&
            status.value.kind === 'stopped' &&
            !begun.has(id),
        );
        untracked(() => wanted.forEach(({ id }) => begin(id)));
      }),
    );
  };
  const begin = (id: string): void => {
    // Once per window: a server that the person stops stays stopped.
    begun.add(id);
    hub.start(id, { interactive: false }).catch((error: unknown) => {
      logs.own.debug(`"${id}" did not start with the window: ${String(error)}`);
    });
  };
  onceReady(hub, store, follow);
  return store;
}

function onceReady(hub: Hub, store: DisposableStore, run: () => void): void {
  const unlessGone = (): void => {
    if (!store.isDisposed) {
      run();
    }
  };
  // A configuration that could not be read is the view's to tell; what was read starts all the same.
  hub.ready.then(unlessGone, unlessGone);
}
