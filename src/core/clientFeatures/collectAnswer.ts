import type { SamplingMessageContentBlock } from '@modelcontextprotocol/client';
import type { ModelAnswer } from './samplingTypes';

type Block = SamplingMessageContentBlock;

export interface AnswerBounds {
  readonly maxTokens: number;
  readonly stopSequences?: readonly string[] | undefined;
  readonly count: (text: string) => Promise<number>;
}

/**
 * Reads an answer until the model ends it, a stop sequence comes, or it has as many tokens as the server wants: nobody
 * else keeps these two. It is counted only when it could have grown too long: no token is shorter than a byte.
 */
export async function collectAnswer(
  stream: AsyncIterable<Block> | Iterable<Block>,
  { maxTokens, stopSequences = [], count }: AnswerBounds,
): Promise<ModelAnswer> {
  const content: Block[] = [];
  /** Of the blocks that are finished. */
  let finished = 0;
  let text = '';
  let counted = 0;
  let uncounted = 0;
  let end: ModelAnswer['end'] = 'whole';
  const finishText = async (): Promise<void> => {
    if (text !== '') {
      content.push({ type: 'text', text });
      finished += await count(text);
    }
    text = '';
    counted = 0;
    uncounted = 0;
  };
  for await (const block of stream) {
    if (block.type === 'text') {
      const stop = firstOf(stopSequences, text, block.text);
      text += block.text;
      uncounted += Buffer.byteLength(block.text);
      if (stop !== undefined) {
        text = text.slice(0, stop);
        end = 'stopSequence';
      }
      if (finished + counted + uncounted > maxTokens) {
        counted = await count(text);
        uncounted = 0;
        if (finished + counted > maxTokens) {
          text = await longestFitting(text, maxTokens - finished, count);
          end = 'maxTokens';
        }
      }
    } else {
      await finishText();
      const size = block.type === 'tool_use' ? await count(`${block.name}${JSON.stringify(block.input)}`) : 0;
      if (finished + size > maxTokens) {
        end = 'maxTokens';
      } else {
        content.push(block);
        finished += size;
      }
    }
    if (end !== 'whole') {
      break;
    }
  }
  await finishText();
  return { content, tokens: finished, end };
}

/** Where the first of the sequences begins in the whole, which may be on the border of its two halves. */
function firstOf(sequences: readonly string[], before: string, more: string): number | undefined {
  const whole = before + more;
  const places = sequences
    .map((sequence) => whole.indexOf(sequence, Math.max(0, before.length - sequence.length + 1)))
    .filter((place) => place >= 0);
  return places.length > 0 ? Math.min(...places) : undefined;
}

/** The longest beginning of a text that is within the limit, no character cut in two. */
async function longestFitting(text: string, limit: number, count: (text: string) => Promise<number>): Promise<string> {
  let fits = 0;
  let tooLong = text.length;
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2);
    if ((await count(text.slice(0, middle))) > limit) {
      tooLong = middle;
    } else {
      fits = middle;
    }
  }
  return text.slice(0, fits).replace(/[\ud800-\udbff]$/, '');
}
