import type { Tool } from '@modelcontextprotocol/client';
import { plainLine } from '../interop/text';

/** What a tool does to the world, as its annotations claim; said only of a server that the person trusts. */
export function toolEffect(tool: Tool, trusted: boolean): 'reads' | 'writes' | 'deletes' | undefined {
  const hints = tool.annotations;
  if (!trusted || !hints) {
    return undefined;
  }
  if (hints.readOnlyHint === true) {
    return 'reads';
  }
  // The spec's default of destructiveHint is true, but a server that says nothing has claimed nothing.
  return hints.destructiveHint === true ? 'deletes' : hints.readOnlyHint === false ? 'writes' : undefined;
}

/** The title where there is one (the tool's own before its annotations'), as the spec says; the name otherwise. */
export function toolLabel(tool: Tool): string {
  return plainLine(tool.title ?? tool.annotations?.title ?? '', 100) || plainLine(tool.name, 100) || '(no name)';
}
