import { Limiter } from '../../../base/sequencer';
import type { RemoteTransport } from './remoteTypes';

/** Answers on their way at once; each takes a connection of its own. */
const AT_ONCE = 16;
/** So many answers may be open, sent or waiting for their turn. */
const MOST = 10_000;

/** Bounds the answers that a server asks for and does not take: `tooMany` is called once, and no more are sent. */
export function boundAnswers(transport: RemoteTransport, tooMany: () => void): void {
  const send = transport.send.bind(transport);
  const turns = new Limiter(AT_ONCE);
  let open = 0;
  let isOver = false;
  transport.send = async (message, options) => {
    if ('method' in message) {
      await send(message, options);
      return;
    }
    if (open === MOST && !isOver) {
      isOver = true;
      tooMany();
    }
    if (isOver) {
      return;
    }
    open += 1;
    try {
      await turns.run(() => send(message, options));
    } finally {
      open -= 1;
    }
  };
}
