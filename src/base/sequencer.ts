/** Runs asynchronous steps one after another; a failed step does not stop the next. */
export class Sequencer {
  private tail: Promise<unknown> = Promise.resolve();

  run<T>(step: () => Promise<T>): Promise<T> {
    const result = this.tail.then(step, step);
    this.tail = result.catch(() => undefined);
    return result;
  }
}

/** A step's place in the queue; it may become urgent while it waits. */
export interface Place {
  readonly urgent: boolean;
}

/** Lets at most `limit` steps run at once; the rest wait in order of arrival, those that are urgent then in front. */
export class Limiter {
  private running = 0;
  private readonly waiting: { readonly place: Place; readonly enter: () => void }[] = [];

  constructor(private readonly limit: number) {}

  /** `leave` lets the next one in before the step is over. */
  async run<T>(step: (leave: () => void) => Promise<T>, place: Place = { urgent: false }): Promise<T> {
    if (this.running >= this.limit) {
      await new Promise<void>((enter) => this.waiting.push({ place, enter }));
    } else {
      this.running += 1;
    }
    let inside = true;
    const leave = (): void => {
      if (inside) {
        inside = false;
        this.next();
      }
    };
    try {
      return await step(leave);
    } finally {
      leave();
    }
  }

  private next(): void {
    const urgent = this.waiting.findIndex(({ place }) => place.urgent);
    const [next] = this.waiting.splice(Math.max(urgent, 0), 1);
    if (next) {
      next.enter();
    } else {
      this.running -= 1;
    }
  }
}
