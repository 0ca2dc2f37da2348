import type { SamplingMessage, SamplingMessageContentBlock } from '@modelcontextprotocol/client';

type Block = SamplingMessageContentBlock;

/** The contents of a message as a list, whichever form it has. */
export function blocksOf({ content }: Pick<SamplingMessage, 'content'>): readonly Block[] {
  return Array.isArray(content) ? content : [content];
}

/** What breaks the rules of tools in a conversation (spec: client/sampling, message content constraints). */
export function toolProblem(messages: readonly SamplingMessage[]): string | undefined {
  let open: readonly string[] = [];
  for (const message of messages) {
    const blocks = blocksOf(message);
    const results = blocks.flatMap((block) => (block.type === 'tool_result' ? [block.toolUseId] : []));
    const uses = blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
    if (results.length > 0 && results.length < blocks.length) {
      return 'Tool results mixed with other content';
    }
    if ((results.length > 0 && message.role !== 'user') || (uses.length > 0 && message.role !== 'assistant')) {
      return 'Tool uses are said by the assistant, tool results by the user';
    }
    if (open.some((id) => !results.includes(id))) {
      return 'Tool result missing in request';
    }
    if (results.some((id) => !open.includes(id))) {
      return 'Tool result without its tool use in the message before';
    }
    open = uses;
  }
  return open.length > 0 ? 'Tool result missing in request' : undefined;
}
