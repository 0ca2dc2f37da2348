/** Controls, bidirectional marks, zero-width and tag characters: what could make a text read as something else. */
const hidden =
  /[\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb]|[\u{e0000}-\u{e01ef}]/gu;

/** JSON for a person who decides on it: the same value, with every character that cannot be seen written as an escape. */
export function visibleJson(value: unknown): string {
  const text = JSON.stringify(value, undefined, 2) ?? 'null';
  return text.replace(hidden, (found) =>
    [...Array(found.length).keys()].map((at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  );
}
