/** Runs asynchronous steps one after another; a failed step does not stop the next. */
export class Sequencer {
  private tail: Promise<unknown> = Promise.resolve();

  run<T>(step: () => Promise<T>): Promise<T> {
    const result = this.tail.then(step, step);
    this.tail = result.catch(() => undefined);
    return result;
  }
}

/** Lets at most `limit` steps run at once; the rest wait in order of arrival, urgent ones in front. */
export class Limiter {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly limit: number) {}

  async run<T>(step: () => Promise<T>, urgent = false): Promise<T> {
    if (this.running >= this.limit) {
      await new Promise<void>((resolve) => {
        if (urgent) {
          this.waiting.unshift(resolve);
        } else {
          this.waiting.push(resolve);
        }
      });
    } else {
      this.running += 1;
    }
    try {
      return await step();
    } finally {
      const next = this.waiting.shift();
      if (next) {
        next();
      } else {
        this.running -= 1;
      }
    }
  }
}
