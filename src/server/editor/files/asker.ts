/** Who asks, and whether they still do. */
export interface Asker {
  readonly client: { readonly id: string };
  readonly signal: AbortSignal;
}
