import { effect, signal } from '@preact/signals-core';
import type { Disposable } from '../base/disposable';
import type { AgentClient } from './serverTypes';

/** Follows what each client that was there may have, and tells when that is another for one of them. */
export class ScopeWatch implements Disposable {
  private readonly clients = signal<readonly AgentClient[]>([]);
  private readonly known = new Map<string, string>();
  private readonly end: () => void;

  /** @param scopeOf text that is the same for the same scope; tracked where it reads signals */
  constructor(scopeOf: (client: AgentClient) => string, changed: () => void) {
    this.end = effect(() => {
      const differing = this.clients.value.filter((client) => {
        const before = this.known.get(client.id);
        const now = scopeOf(client);
        this.known.set(client.id, now);
        return before !== undefined && before !== now;
      });
      if (differing.length > 0) {
        changed();
      }
    });
  }

  see(client: AgentClient): void {
    if (!this.clients.peek().some(({ id }) => id === client.id)) {
      this.clients.value = [...this.clients.peek(), client];
    }
  }

  dispose(): void {
    this.end();
  }
}
