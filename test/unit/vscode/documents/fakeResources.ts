import { type Signal, signal } from '@preact/signals-core';
import { Emitter } from '../../../../src/base/emitter';
import { toDisposable } from '../../../../src/base/disposable';
import type { RequestOptions } from '../../../../src/core/connections/connectionTypes';
import type { Hub, ResourceUpdate, ServerStatus, ServerView } from '../../../../src/core/hubTypes';

interface PendingRead {
  readonly server: string;
  readonly uri: string;
  readonly options: RequestOptions;
  answer(text: string): Promise<void>;
  fail(error: unknown): Promise<void>;
}

type ResourceHub = Pick<Hub, 'ready' | 'readResource' | 'servers' | 'subscribe' | 'onDidUpdateResource'>;

const settled = (): Promise<void> => new Promise(setImmediate);

/** A hub of resources whose reads wait for the test to answer them. */
export class FakeResources implements ResourceHub {
  readonly ready = Promise.resolve();
  readonly pending: PendingRead[] = [];
  /** Every read that was asked for, as `server uri`. */
  readonly asked: string[] = [];
  readonly subscribed: string[] = [];
  readonly servers: Signal<readonly ServerView[]> = signal([]);
  private readonly updates = new Emitter<ResourceUpdate>();
  readonly onDidUpdateResource = this.updates.event;

  readonly readResource: Hub['readResource'] = (server, uri, options = {}) =>
    new Promise((resolve, reject) => {
      this.asked.push(`${server} ${uri}`);
      this.pending.push({
        server,
        uri,
        options,
        answer: (text) => {
          resolve({ contents: [{ uri, text }] });
          return settled();
        },
        fail: (error) => {
          reject(error);
          return settled();
        },
      });
    });

  readonly subscribe: Hub['subscribe'] = (server, uri) => {
    const entry = `${server} ${uri}`;
    this.subscribed.push(entry);
    return toDisposable(() => this.subscribed.splice(this.subscribed.indexOf(entry), 1));
  };

  async update(server: string, uri: string): Promise<void> {
    this.updates.fire({ server, uri });
    await settled();
  }

  /** The oldest read that waits. */
  async next(): Promise<PendingRead> {
    await settled();
    const read = this.pending.shift();
    if (!read) {
      throw new Error('no read waits');
    }
    return read;
  }
}

export interface FakeServer {
  readonly view: ServerView;
  readonly status: Signal<ServerStatus>;
}

export function fakeServer(id: string, kind: 'stopped' | 'ready' = 'ready'): FakeServer {
  const status = signal({ kind } as ServerStatus);
  return { view: { id, status } as unknown as ServerView, status };
}
