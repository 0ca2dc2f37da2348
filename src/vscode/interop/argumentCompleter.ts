import type { Clock } from '../../base/clock';
import type { Disposable } from '../../base/disposable';
import type { Suggestions } from './askArgumentsTypes';

const debounceMs = 150;

export interface CompleterListener {
  /** For the newest value only; an answer for one before it is dropped. */
  suggested(value: string, suggestions: Suggestions): void;
  busy(busy: boolean): void;
}

/**
 * Asks for suggestions while a person types in one field: once they pause, never twice at a time, and what was asked
 * before is cancelled. A failure is silent: the field is a plain one then.
 */
export class ArgumentCompleter implements Disposable {
  private waiting: Disposable | undefined;
  private running: AbortController | undefined;
  private next: string | undefined;
  private disposed = false;

  constructor(
    private readonly complete: (value: string, signal: AbortSignal) => Promise<Suggestions>,
    private readonly clock: Clock,
    private readonly listener: CompleterListener,
  ) {}

  type(value: string): void {
    this.running?.abort();
    this.waiting?.dispose();
    this.next = undefined;
    if (this.disposed) {
      return;
    }
    this.waiting = this.clock.after(debounceMs, () => {
      this.next = value;
      void this.run();
    });
  }

  dispose(): void {
    this.disposed = true;
    this.waiting?.dispose();
    this.running?.abort();
    this.next = undefined;
  }

  /** Asks for the newest value; one that is still being asked goes on here when it has ended. */
  private async run(): Promise<void> {
    const value = this.next;
    if (this.running || value === undefined) {
      return;
    }
    this.next = undefined;
    const controller = new AbortController();
    this.running = controller;
    this.listener.busy(true);
    let found: Suggestions | undefined;
    try {
      found = await this.complete(value, controller.signal);
    } catch {
      // Whatever the reason (no completion, too slow, not running): the person types the value themselves.
    }
    this.running = undefined;
    if (this.disposed) {
      return;
    }
    this.listener.busy(this.next !== undefined);
    if (!controller.signal.aborted) {
      this.listener.suggested(value, found ?? { values: [], more: false });
    }
    await this.run();
  }
}
