/** Deeper JSON is refused: what walks it, and what writes it again, calls itself once per level. */
const maxDepth = 200;

/** Whether a JSON text nests deeper than anything that MCP has a use for. Looks at brackets alone, before it is parsed. */
export function isTooDeep(text: string, limit = maxDepth): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char === 0x22) {
      at = endOfString(text, at);
    } else if (char === 0x5b || char === 0x7b) {
      depth += 1;
      if (depth > limit) {
        return true;
      }
    } else if (char === 0x5d || char === 0x7d) {
      depth -= 1;
    }
  }
  return false;
}

/** Where the string that begins at `start` ends: the next quote behind an even number of backslashes. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === 0x5c) {
      slashes += 1;
    }
    if (slashes % 2 === 0) {
      return end;
    }
  }
  return text.length;
}
