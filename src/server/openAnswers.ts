import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../base/clock';
import { type Disposable, DisposableStore } from '../base/disposable';
import { ClientAnswers } from './clientAnswers';

/** An answer of which nothing is taken for this long is given up, in milliseconds; it is looked at more often. */
const stalledMs = 120_000;
const lookMs = 30_000;

/** The answers that are being given, and to whom: what a client does not read stays in memory. */
export class OpenAnswers implements Disposable {
  private readonly store = new DisposableStore();
  private readonly byClient = new Map<string, ClientAnswers>();

  /** No more than `waitingBytes` of one client may wait. */
  constructor(
    private readonly waitingBytes: number,
    private readonly clock: Clock,
  ) {
    this.lookLater();
  }

  /** Follows an answer until its connection is done with it. */
  add(client: string, request: IncomingMessage, response: ServerResponse): void {
    const open = this.byClient.get(client) ?? new ClientAnswers();
    this.byClient.set(client, open);
    open.add(response, this.clock.now());
    response.once('close', () => {
      open.delete(response);
      if (open.size === 0 && this.byClient.get(client) === open) {
        this.byClient.delete(client);
      }
    });
    closeWithConnection(request, response);
  }

  /** Whether so little waits to be read by a client that more may be written on an answer, at once. */
  hasRoom(client: string, response: ServerResponse): boolean {
    return this.byClient.get(client)?.hasRoom(response, this.waitingBytes) ?? true;
  }

  /** Sets how much of an answer has been made that is yet to be written. */
  keeps(client: string, response: ServerResponse, bytes: number): void {
    this.byClient.get(client)?.keeps(response, bytes);
  }

  /** Ends all that a client has open. */
  end(client: string): void {
    for (const [response] of this.byClient.get(client)?.list() ?? []) {
      response.destroy();
    }
  }

  dispose(): void {
    this.store.dispose();
  }

  private lookLater(): void {
    const timer = this.clock.after(lookMs, () => {
      this.store.release(timer);
      const now = this.clock.now();
      for (const open of this.byClient.values()) {
        for (const [response, progress] of open.list()) {
          const { socket } = response;
          const taken = socket === null ? 0 : socket.bytesWritten - socket.writableLength;
          if (response.writableLength === 0 || taken !== progress.taken) {
            Object.assign(progress, { taken, at: now });
          } else if (socket !== null && now - progress.at >= stalledMs) {
            response.destroy();
          }
        }
      }
      this.lookLater();
    });
    this.store.add(timer);
  }
}

/** Node tells an answer that waits behind another one on its connection nothing of the connection's end. */
function closeWithConnection({ socket }: IncomingMessage, response: ServerResponse): void {
  if (response.socket !== null) {
    return;
  }
  const closed = (): void => {
    if (response.socket === null) {
      response.destroy();
      response.emit('close');
    }
  };
  socket.setMaxListeners(0);
  socket.once('close', closed);
  response.once('close', () => socket.off('close', closed));
}
