export interface Source {
  pause(): void;
  resume(): void;
}

/** One stream that several may want paused: it flows while none of them does. */
export class HeldSource {
  private holders = 0;

  constructor(private readonly source: Source) {}

  holder(): Source {
    let holds = false;
    return {
      pause: () => {
        if (!holds) {
          holds = true;
          this.holders += 1;
          this.source.pause();
        }
      },
      resume: () => {
        if (holds) {
          holds = false;
          this.holders -= 1;
          if (this.holders === 0) {
            this.source.resume();
          }
        }
      },
    };
  }
}
