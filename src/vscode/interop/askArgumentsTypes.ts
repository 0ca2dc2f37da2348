/** One value that a prompt or a template needs. All values are text (spec: server/prompts). */
export interface ArgumentField {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** Asked for before anything is sent; others may be skipped, and are absent then. */
  readonly required: boolean;
}

/** Values that fit what was typed so far, from the server; `given` are the values of the fields already answered. */
export type CompleteField = (
  field: string,
  value: string,
  given: Readonly<Record<string, string>>,
  signal: AbortSignal,
) => Promise<readonly string[]>;

export interface ArgumentSteps {
  /** As the boxes are titled: `travel — Plan a vacation`. */
  readonly title: string;
  readonly fields: readonly ArgumentField[];
  /** Values to begin with. */
  readonly initial?: Readonly<Record<string, string>>;
  readonly complete?: CompleteField;
}
