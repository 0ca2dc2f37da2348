import type { Clock } from '../../base/clock';
import type { Logger } from '../../base/log';
import type { Session } from './sessionTypes';

/** A session on its way. It may outlast the start that began it, for a late success still counts. */
export class Opening {
  readonly session: Promise<Session>;
  private readonly abort = new AbortController();

  constructor(
    open: (stop: AbortSignal) => Promise<Session>,
    /** How long ending it may take, in milliseconds; what hangs then is left to itself. */
    private readonly tidyMs: number,
    private readonly clock: Clock,
    private readonly log: Logger,
  ) {
    this.session = open(this.abort.signal);
    // Whoever waits is told.
    this.session.catch(() => undefined);
  }

  /** Aborts when it is ended. */
  get signal(): AbortSignal {
    return this.abort.signal;
  }

  /** Ends it, or what came of it. */
  async end(reason: unknown): Promise<void> {
    this.abort.abort(reason);
    const ended = this.session
      .then(
        (session) => session.close(),
        (error: unknown) => this.log.debug(`The start failed: ${String(error)}`),
      )
      .catch((error: unknown) => this.log.error('The server could not be ended.', error));
    await new Promise<void>((resolve) => {
      const timer = this.clock.after(this.tidyMs, resolve);
      void ended.then(() => {
        timer.dispose();
        resolve();
      });
    });
  }
}
