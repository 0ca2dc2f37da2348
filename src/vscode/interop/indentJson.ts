const token = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s"[\]{},:]+/g;

/** Valid JSON with line breaks and indentation. Unlike parsing and writing anew, this keeps every number and string as it is. */
export function indentJson(json: string): string {
  const out: string[] = [];
  let depth = 0;
  let before = '';
  const line = (): void => void out.push('\n', '  '.repeat(depth));
  for (const [part] of json.matchAll(token)) {
    const closes = part === '}' || part === ']';
    const opened = before === '{' || before === '[';
    if (closes) {
      depth -= 1;
    }
    if (opened !== closes || before === ',') {
      line();
    }
    out.push(part === ':' ? ': ' : part);
    if (part === '{' || part === '[') {
      depth += 1;
    }
    before = part;
  }
  return out.join('');
}
