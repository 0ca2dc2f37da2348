import { ProgressLocation, window } from 'vscode';
import type { ProgressUpdate } from '../../core/connections/connectionTypes';
import { toSignal } from './cancellation';
import { progressSteps } from './progress';

/** The person sees nothing of what is done within this time, in milliseconds. */
const patience = 500;

/** Does something that may take long; if it does, a notification says so, how far it is, and can cancel it. */
export async function withLateProgress<T>(
  title: string,
  run: (signal: AbortSignal, onProgress: (update: ProgressUpdate) => void) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  let latest: ProgressUpdate | undefined;
  let show = (update: ProgressUpdate): void => {
    latest = update;
  };
  const work = run(controller.signal, (update) => show(update));
  let timer: NodeJS.Timeout | undefined;
  const late = await Promise.race([
    work.then(
      () => false,
      () => false,
    ),
    new Promise<boolean>((resolve) => (timer = setTimeout(resolve, patience, true))),
  ]);
  clearTimeout(timer);
  if (!late) {
    return work;
  }
  return window.withProgress(
    { location: ProgressLocation.Notification, title, cancellable: true },
    async (progress, token) => {
      show = progressSteps(progress);
      if (latest) {
        show(latest);
      }
      const cancel = toSignal(token);
      cancel.signal.addEventListener('abort', () => controller.abort());
      try {
        return await work;
      } finally {
        cancel.dispose();
      }
    },
  );
}
