import { effect, type ReadonlySignal, untracked } from '@preact/signals-core';
import { type Disposable, toDisposable } from '../../base/disposable';

/** Runs with the resources that are wanted, now and after each change; changes of one moment come as one. */
export function followWanted(
  wanted: ReadonlySignal<ReadonlySet<string>>,
  run: (uris: ReadonlySet<string>) => void,
): Disposable {
  let known: ReadonlySet<string> = new Set();
  let following = true;
  const catchUp = (): void => {
    const uris = wanted.peek();
    if (following && uris !== known) {
      known = uris;
      run(uris);
    }
  };
  const stop = effect(() => {
    if (wanted.value.size > 0 || known.size > 0) {
      untracked(() => queueMicrotask(catchUp));
    }
  });
  return toDisposable(() => {
    following = false;
    stop();
  });
}
