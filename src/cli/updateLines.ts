import { type Clock, systemClock } from '../base/clock';
import { type Disposable, DisposableStore } from '../base/disposable';

/** Updates of one resource within this time, in milliseconds, are one line after the first. */
const QUIET_MS = 250;

/** Prints the first update of a resource at once, and of those that follow closely one when the time is over. */
export class UpdateLines implements Disposable {
  private readonly store = new DisposableStore();
  /** By resource: whether more came since its last line. */
  private readonly recent = new Map<string, boolean>();

  constructor(
    private readonly print: (server: string, uri: string) => void,
    private readonly clock: Clock = systemClock,
  ) {}

  add(server: string, uri: string): void {
    const name = JSON.stringify([server, uri]);
    if (this.recent.has(name)) {
      this.recent.set(name, true);
      return;
    }
    this.print(server, uri);
    this.recent.set(name, false);
    const timer = this.store.add(
      this.clock.after(QUIET_MS, () => {
        this.store.release(timer);
        const more = this.recent.get(name);
        this.recent.delete(name);
        if (more) {
          this.add(server, uri);
        }
      }),
    );
  }

  dispose(): void {
    this.store.dispose();
  }
}
