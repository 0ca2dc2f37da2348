import type {
  CreateMessageResult,
  CreateMessageResultWithTools,
  SamplingMessageContentBlock,
} from '@modelcontextprotocol/client';
import type { ModelAnswer, SamplingReview } from './samplingTypes';

/**
 * An answer as servers get it. A list of contents is for those that gave tools; the others get one content, which is
 * whatever text there is (spec: client/sampling, result fields).
 */
export function toResult(
  { content, end }: ModelAnswer,
  { params, model }: Pick<SamplingReview, 'params' | 'model'>,
): CreateMessageResult | CreateMessageResultWithTools {
  const usesTools = content.some(({ type }) => type === 'tool_use');
  const stopReason = end === 'whole' ? (usesTools ? 'toolUse' : 'endTurn') : end;
  const said = { role: 'assistant', model: model.id, stopReason } as const;
  const [only, ...more] = content;
  if (params.tools && only && (usesTools || more.length > 0)) {
    return { ...said, content: [...content] };
  }
  return { ...said, content: single(content) };
}

function single(content: readonly SamplingMessageContentBlock[]): CreateMessageResult['content'] {
  const text = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const other = content.find((block) => block.type === 'image' || block.type === 'audio');
  return text.length === 0 && other ? other : { type: 'text', text: text.join('') };
}
