/** What the row of the running test says beside its outcome. */
export function note(context: Mocha.Context, text: string): void {
  Object.assign(context.test ?? {}, { note: text });
}
