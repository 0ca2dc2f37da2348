const half = /\p{Surrogate}/gu;

/** Whether a text has half of a character in it (a lone surrogate), which no encoding has. */
export function hasHalfCharacter(text: string): boolean {
  return text.search(half) >= 0;
}

/** A text percent-encoded (RFC 3986). Half of a character becomes U+FFFD and keeps nothing else away. */
export function percentEncoded(text: string): string {
  return encodeURIComponent(text.replace(half, '\uFFFD'));
}
