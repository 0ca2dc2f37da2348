/** Deeper JSON is refused: what walks it, and what writes it again, calls itself once per level. */
const maxDepth = 200;
/** An object of more members is refused: each of them costs many times what an entry of a list does. */
const maxMembers = 50_000;
/** Looked at in one step, in characters: a millisecond or two. */
const stepLength = 262_144;

/** Looks at the brackets, strings and colons of a JSON text, before it is parsed, in steps. */
export class BodyShape {
  private at = 0;
  private inString = false;
  private depth = 0;
  /** How many members the open objects have so far, by depth. */
  private readonly members = [0];

  constructor(private readonly text: string) {}

  /** What is wrong with the text, as far as it has been looked at; `undefined` where more is to come, `''` at its sound end. */
  step(): string | undefined {
    const { text, members } = this;
    const part = text.slice(this.at, this.at + stepLength);
    let { depth } = this;
    let at = this.inString ? this.behindString(part, 0) : 0;
    while (at < part.length) {
      const char = part.charCodeAt(at);
      at += 1;
      if (char === 0x22) {
        at = this.behindString(part, at);
      } else if (char === 0x3a) {
        const count = (members[depth] ?? 0) + 1;
        if (count > maxMembers) {
          return `an object in the body has more than ${maxMembers} members`;
        }
        members[depth] = count;
      } else if (char === 0x5b || char === 0x7b) {
        depth += 1;
        if (depth > maxDepth) {
          return 'the body is nested too deeply';
        }
        members[depth] = 0;
      } else if (char === 0x5d || char === 0x7d) {
        depth = Math.max(0, depth - 1);
      }
    }
    this.at += at;
    this.depth = depth;
    return this.at < text.length ? undefined : '';
  }

  /** Where to go on from a place in a string: behind the quote that ends it, or behind the part and what it escapes. */
  private behindString(part: string, from: number): number {
    for (let quote = part.indexOf('"', from); quote >= 0; quote = part.indexOf('"', quote + 1)) {
      if (!isEscaped(part, from, quote)) {
        this.inString = false;
        return quote + 1;
      }
    }
    this.inString = true;
    return isEscaped(part, from, part.length) ? part.length + 1 : part.length;
  }
}

/** Whether an odd number of backslashes stands before a place in a string, of which all before `from` is read. */
function isEscaped(part: string, from: number, place: number): boolean {
  let start = place;
  while (start > from && part.charCodeAt(start - 1) === 0x5c) {
    start -= 1;
  }
  return (place - start) % 2 === 1;
}
