/** Bidirectional marks, zero-width and tag characters, and the controls that JSON lets by: what could make a text read as something else. */
const hidden =
  /[\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb]|[\u{e0000}-\u{e01ef}]/gu;

/** JSON that a person or a terminal may read: the same value, with every character that cannot be seen written as an escape. */
export function visibleJson(value: unknown, indent = 2): string {
  const text = JSON.stringify(value, undefined, indent) ?? 'null';
  return text.replace(hidden, (found) =>
    [...Array(found.length).keys()].map((at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  );
}

/** One line without what cannot be seen, nor what a terminal would obey. */
export function visibleLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .replace(hidden, ' ')
    .trim();
}
