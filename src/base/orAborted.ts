import { cancelled, PorticoError } from './errors';

/** The promise, unless the signal comes first; what was started goes on unheeded. `what` names a caller's own wait. */
export async function orAborted<T>(promise: Promise<T>, stop: AbortSignal | undefined, what: string): Promise<T> {
  if (!stop) {
    return promise;
  }
  let abandon = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    abandon = () => reject(PorticoError.is(stop.reason) ? stop.reason : cancelled(what));
  });
  stop.addEventListener('abort', abandon, { once: true });
  if (stop.aborted) {
    abandon();
  }
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    stop.removeEventListener('abort', abandon);
  }
}
