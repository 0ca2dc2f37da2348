import { effect, type ReadonlySignal } from '@preact/signals-core';
import type { Clock } from '../../base/clock';
import type { Disposable } from '../../base/disposable';
import { PorticoError } from '../../base/errors';
import { orAborted } from '../../base/orAborted';
import type { ConnectionState } from './connectionTypes';

/** Settles when the server has come back or is given up; rejects with TIMEOUT where that takes too long. */
export async function whileReconnecting(
  state: ReadonlySignal<ConnectionState>,
  key: string,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal?: AbortSignal },
  clock: Clock,
): Promise<void> {
  let stop = (): void => undefined;
  let timer: Disposable | undefined;
  const over = new Promise<void>((resolve, reject) => {
    stop = effect(() => {
      if (state.value.kind !== 'reconnecting') {
        resolve();
      }
    });
    timer = clock.after(timeoutMs, () =>
      reject(new PorticoError('TIMEOUT', `"${key}" did not come back in time. See its log.`, { server: key })),
    );
  });
  try {
    await orAborted(over, signal, `The request to "${key}"`);
  } finally {
    stop();
    timer?.dispose();
  }
}
