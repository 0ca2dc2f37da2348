import type { CreateMessageRequestParams, SamplingMessageContentBlock } from '@modelcontextprotocol/client';
import type {
  ModelAnswer,
  ModelBackend,
  ModelOrder,
  SamplingAnswer,
  SamplingModel,
  SamplingReview,
  SamplingSettings,
  SamplingUi,
} from '../../../../src/core/clientFeatures/samplingTypes';

type Block = SamplingMessageContentBlock;

export const model = (id: string, more: Partial<SamplingModel> = {}): SamplingModel => ({
  id,
  name: id,
  vendor: 'test',
  family: id,
  maxInputTokens: 1_000,
  ...more,
});

export const words = (text: string): Block => ({ type: 'text', text });

/** A word is a token. */
export const countWords = async (text: string): Promise<number> => text.split(/\s+/).filter(Boolean).length;

/** Models that answer by script, one answer for each request, and keep what they were sent. */
export class FakeModels implements ModelBackend {
  available: SamplingModel[] = [model('small'), model('large')];
  readonly script: (readonly Block[] | Error)[] = [];
  readonly sent: {
    readonly model: string;
    readonly params: CreateMessageRequestParams;
    readonly interactive: boolean;
  }[] = [];
  /** Answers wait for it. */
  gate: Promise<void> = Promise.resolve();
  /** How many answers were read to their end, or given up. */
  ended = 0;

  async models(): Promise<readonly SamplingModel[]> {
    return this.available;
  }

  countTokens(_model: SamplingModel, what: string | CreateMessageRequestParams): Promise<number> {
    return countWords(typeof what === 'string' ? what : textsOf(what).join(' '));
  }

  async *send(
    { id }: SamplingModel,
    params: CreateMessageRequestParams,
    { interactive }: { readonly interactive: boolean },
  ): AsyncIterable<Block> {
    this.sent.push({ model: id, params, interactive });
    try {
      await this.gate;
      const answer = this.script.shift() ?? [words('(no script)')];
      if (answer instanceof Error) {
        throw answer;
      }
      yield* answer;
    } finally {
      this.ended += 1;
    }
  }
}

function textsOf({ messages, systemPrompt = '' }: CreateMessageRequestParams): readonly string[] {
  const texts = messages.flatMap(({ content }) =>
    [content].flat().flatMap((block) => (block.type === 'text' ? [block.text] : [])),
  );
  return [systemPrompt, ...texts];
}

/** Lets everything through once unless a test says otherwise. */
export class FakeSamplingUi implements SamplingUi {
  readonly requests: { readonly review: SamplingReview; readonly signal: AbortSignal }[] = [];
  readonly answers: ModelAnswer[] = [];
  onRequest = async (review: SamplingReview): Promise<SamplingAnswer> => this.allow(review);
  onAnswer = async (answer: ModelAnswer): Promise<readonly Block[] | undefined> => answer.content;

  allow({ model: chosen, params }: SamplingReview, duration: SamplingAnswer['duration'] = 'once'): SamplingAnswer {
    return { kind: 'allow', duration, model: chosen, params };
  }

  reviewRequest(review: SamplingReview, stop: AbortSignal): Promise<SamplingAnswer> {
    this.requests.push({ review, signal: stop });
    return this.onRequest(review);
  }

  reviewAnswer(_review: SamplingReview, answer: ModelAnswer): Promise<readonly Block[] | undefined> {
    this.answers.push(answer);
    return this.onAnswer(answer);
  }
}

export const noOrder: ModelOrder = { costPriority: [], speedPriority: [], intelligencePriority: [] };

export class FakeSamplingSettings implements SamplingSettings {
  wanted: readonly string[] = [];
  perMinute = 100;
  perHour = 10_000;
  modelsFor = () => this.wanted;
  order = () => noOrder;
  requestsPerMinute = () => this.perMinute;
  tokensPerHour = () => this.perHour;
}
