import { ProgressLocation, window } from 'vscode';
import { toSignal } from './cancellation';

/** The person sees nothing of what is done within this time, in milliseconds. */
const patience = 500;

/** Does something that may take long; if it does, a notification says so and can cancel it. */
export async function withLateProgress<T>(title: string, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const work = run(controller.signal);
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
    async (_, token) => {
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
