import { connect, type Socket } from 'node:net';
import type { ListenerAddress } from '../serverTypes';

/** A window that is busy for longer than this, in milliseconds, still counts as there. */
const patienceMs = 1_000;

/** Whether somebody listens: the only sign of life that holds over containers, where process ids mean nothing. */
export function answersAt(address: ListenerAddress): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = socketTo(address);
    if (socket === undefined) {
      resolve(false);
      return;
    }
    const settle = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(patienceMs, () => settle(true));
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
  });
}

function socketTo(address: ListenerAddress): Socket | undefined {
  try {
    return address.kind === 'tcp' ? connect(address.port, address.host) : connect(address.path);
  } catch {
    // Some addresses that cannot be are told of by throwing: nobody listens there.
    return undefined;
  }
}
