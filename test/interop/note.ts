/** What the row of the running test says beside its outcome. */
export function note(context: Mocha.Context, text: string): void {
  Object.assign(context.test ?? {}, { note: text });
}

/** What was measured, for the row of the running test. */
export interface Measured {
  readonly passed: number;
  readonly failed: number;
  /** Of the measured thing alone; the test may have waited for others. */
  readonly seconds: number;
  /** The row says `fail` where this is set: a measured failure that is known, with its reason in the note. */
  readonly short?: boolean;
}

export function measured(context: Mocha.Context, measure: Measured): void {
  Object.assign(context.test ?? {}, { measured: measure });
}
