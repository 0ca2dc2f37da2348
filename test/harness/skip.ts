/** Skips the running test; the reporter prints the reason. In CI only what needs another operating system may skip. */
export function skip(context: Mocha.Context, reason: string): never {
  Object.assign(context.test ?? {}, { reason });
  return context.skip();
}
