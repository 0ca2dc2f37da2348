import type { LoggingLevel } from '@modelcontextprotocol/client';
import { effect, type ReadonlySignal } from '@preact/signals-core';
import type { Disposable } from '../../base/disposable';
import { toDisposable } from '../../base/disposable';
import type { Logger } from '../../base/log';
import { Sequencer } from '../../base/sequencer';
import { plainText } from '../../base/plainText';
import type { Session } from './sessionTypes';

/** Session era: keeps the server at the level that is wanted, by `logging/setLevel`, now and after each change. */
export function followLogLevel(
  session: Pick<Session, 'request'>,
  level: ReadonlySignal<LoggingLevel>,
  log: Logger,
): Disposable {
  const turns = new Sequencer();
  let following = true;
  const tell = async (wanted: LoggingLevel): Promise<void> => {
    if (following && level.peek() === wanted) {
      await session.request('logging/setLevel', { level: wanted }, {});
    }
  };
  const stop = effect(() => {
    const wanted = level.value;
    turns.run(() => tell(wanted)).catch((error: unknown) => log.debug(`logging/setLevel: ${plainText(String(error))}`));
  });
  return toDisposable(() => {
    following = false;
    stop();
  });
}
