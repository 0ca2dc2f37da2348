const mostQuoted = 200;

/** What a client or server wrote, as it may stand in a sentence: quoted, and its beginning alone where it is long. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > mostQuoted ? `${text.slice(0, mostQuoted)}…` : text);
}
