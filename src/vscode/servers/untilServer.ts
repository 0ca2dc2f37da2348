import { effect } from '@preact/signals-core';
import type { Hub, ServerView } from '../../core/hubTypes';

/** The view of an entry that was just written, as soon as the configuration has been read again; nothing after `ms`. */
export function untilServer(
  hub: Hub,
  wanted: { readonly source: string; readonly key: string },
  ms = 10_000,
): Promise<ServerView | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => finish(undefined), ms);
    let done = false;
    let stop: (() => void) | undefined;
    const finish = (view: ServerView | undefined): void => {
      done = true;
      clearTimeout(timer);
      stop?.();
      resolve(view);
    };
    stop = effect(() => {
      const found = hub.servers.value.find(
        ({ definition }) => definition.key === wanted.key && definition.source.id === wanted.source,
      );
      if (found && !done) {
        finish(found);
      }
    });
    if (done) {
      stop();
    }
  });
}
