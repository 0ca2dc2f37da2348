import { type ReadonlySignal, signal } from '@preact/signals-core';
import type { Clock } from '../base/clock';
import type { Disposable } from '../base/disposable';
import type { AgentClient } from './serverTypes';

/** How long a client counts as there after its last request has ended, in milliseconds. */
export const lingerMs = 60_000;

interface Seen {
  readonly client: AgentClient;
  open: number;
  lastAt: number;
}

/** Which clients are there: those with a request open, a stream of notifications among them, or one a moment ago. */
export class ClientPresence implements Disposable {
  private readonly seen = new Map<string, Seen>();
  private readonly timers = new Map<string, Disposable>();
  private readonly list = signal<readonly AgentClient[]>([]);
  /** In the order in which they came. */
  readonly present: ReadonlySignal<readonly AgentClient[]> = this.list;

  constructor(private readonly clock: Clock) {}

  /** A request has begun; what is given back is called when it has ended. */
  began(client: AgentClient): () => void {
    const known = this.seen.get(client.id);
    const seen = known ?? { client, open: 0, lastAt: this.clock.now() };
    seen.open++;
    if (!known) {
      this.seen.set(client.id, seen);
      this.tell();
    }
    return () => this.ended(seen);
  }

  private ended(seen: Seen): void {
    const { id } = seen.client;
    seen.open--;
    seen.lastAt = this.clock.now();
    // One that was forgotten and has come back is another.
    if (seen.open === 0 && this.seen.get(id) === seen && !this.timers.has(id)) {
      this.look(id, lingerMs);
    }
  }

  /** It is no longer let in. */
  forget(id: string): void {
    this.timers.get(id)?.dispose();
    this.timers.delete(id);
    if (this.seen.delete(id)) {
      this.tell();
    }
  }

  dispose(): void {
    for (const id of [...this.seen.keys()]) {
      this.forget(id);
    }
  }

  /** One timer per client, however many requests it makes. */
  private look(id: string, ms: number): void {
    this.timers.set(
      id,
      this.clock.after(ms, () => {
        this.timers.delete(id);
        const seen = this.seen.get(id);
        if (!seen || seen.open > 0) {
          return;
        }
        const left = seen.lastAt + lingerMs - this.clock.now();
        if (left > 0) {
          this.look(id, left);
        } else {
          this.forget(id);
        }
      }),
    );
  }

  private tell(): void {
    this.list.value = [...this.seen.values()].map(({ client }) => client);
  }
}
