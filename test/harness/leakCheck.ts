import { ChildProcess } from 'node:child_process';
import { Server, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { DisposableStore } from '../../src/base/disposable';
import { trackDisposables } from '../../src/base/disposable';

const graceMilliseconds = 3000;

/** Where each store that is still open was made. */
const openStores = new Map<DisposableStore, string>();
let test = 'loading';

/** Root hooks of a suite: after its last test nothing that the tests opened may be open. */
export const mochaHooks = {
  beforeAll(): void {
    trackDisposables({
      opened: (store) => openStores.set(store, `${test}, ${origin()}`),
      closed: (store) => openStores.delete(store),
    });
  },
  beforeEach(this: Mocha.Context): void {
    test = this.currentTest?.fullTitle() ?? '';
  },
  async afterAll(this: Mocha.Context): Promise<void> {
    const deadline = Date.now() + graceMilliseconds;
    while (leaks().length > 0 && Date.now() < deadline) {
      await delay(50);
    }
    if (leaks().length > 0) {
      throw new Error(`Left open at the end of the suite:\n${leaks().join('\n')}`);
    }
  },
};

function leaks(): string[] {
  return [...[...openStores.values()].map((from) => `store made in ${from}`), ...openHandles()];
}

/** Child processes, sockets and servers that keep this process alive, by what identifies them. */
function openHandles(): string[] {
  const { _getActiveHandles: handles } = process as unknown as { _getActiveHandles(): unknown[] };
  return handles.call(process).flatMap((handle) => {
    if (handle instanceof ChildProcess) {
      return [`process ${handle.pid} ${handle.spawnargs.join(' ')}`];
    }
    if (handle instanceof Server) {
      return [`server on ${JSON.stringify(handle.address())}`];
    }
    if (handle instanceof Socket && handle.remoteAddress) {
      return [`socket to ${handle.remoteAddress}:${handle.remotePort}`];
    }
    return [];
  });
}

/** The first line of the stack outside the class that is tracked and this file. */
function origin(): string {
  const lines = new Error().stack?.split('\n') ?? [];
  return (
    lines
      .slice(4)
      .find((line) => !line.includes('node:internal'))
      ?.trim() ?? 'unknown place'
  );
}
