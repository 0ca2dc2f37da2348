/** What is told of a file's text beside the text. */
export interface TextMeta {
  /** `buffer` where the editor has the document open and its text is the newer one, or the same. */
  readonly source: 'buffer' | 'disk';
  /** Whether there is text that is not saved. */
  readonly dirty: boolean;
  /** Of the editor's document, where the text is from it. */
  readonly version?: number;
  /** When the file on disk was changed last, in ISO 8601. */
  readonly mtime?: string;
  readonly encoding: string;
  readonly eol: 'lf' | 'crlf';
}

/** The keys under which results tell of Portico's own (spec: basic, `_meta`). */
export function metaKeys(values: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`portico/${name}`, value]));
}
