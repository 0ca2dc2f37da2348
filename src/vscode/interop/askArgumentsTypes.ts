/** One value that a prompt or a template needs. All values are text (spec: server/prompts). */
export interface ArgumentField {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** Asked for before anything is sent; others may be skipped, and are absent then. */
  readonly required: boolean;
}

/** What a server proposes for a field, best first (spec: server/utilities/completion). */
export interface Suggestions {
  readonly values: readonly string[];
  /** There are others that fit as well. */
  readonly more: boolean;
}

/** Values that fit what was typed so far, from the server; `given` are the values of the fields already answered. */
export type CompleteField = (
  field: string,
  value: string,
  given: Readonly<Record<string, string>>,
  signal: AbortSignal,
) => Promise<Suggestions>;

export interface ArgumentSteps {
  /** As the boxes are titled: `travel — Plan a vacation`. */
  readonly title: string;
  readonly fields: readonly ArgumentField[];
  /** Values to begin with. */
  readonly initial?: Readonly<Record<string, string>>;
  /** `serverCompletion` makes one. */
  readonly complete?: CompleteField;
  /** Also offer the text of the active file, the selection and the output of a command. */
  readonly editorTexts?: boolean;
}
