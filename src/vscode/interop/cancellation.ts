import type { CancellationToken } from 'vscode';
import type { Disposable } from '../../base/disposable';

/** A token as the signal that core takes. Dispose it when the work is over: the token may outlive it. */
export function toSignal(token: CancellationToken): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController();
  if (token.isCancellationRequested) {
    controller.abort();
  }
  const subscription = token.onCancellationRequested(() => controller.abort());
  return { signal: controller.signal, dispose: () => subscription.dispose() };
}
