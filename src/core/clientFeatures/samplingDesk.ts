import type {
  CreateMessageRequestParams,
  CreateMessageResult,
  CreateMessageResultWithTools,
} from '@modelcontextprotocol/client';
import type { Signal } from '@preact/signals-core';
import type { Clock } from '../../base/clock';
import { cancelled, PorticoError, toProblem } from '../../base/errors';
import type { LogFactory } from '../../base/log';
import { orAborted } from '../../base/orAborted';
import { Sequencer } from '../../base/sequencer';
import type { ServerDefinition } from '../config/configTypes';
import type { Answerer } from '../connections/connectionTypes';
import { rankModels } from './chooseModel';
import { collectAnswer } from './collectAnswer';
import { type Allowance, SamplingBudget } from './samplingBudget';
import type { SamplingGrants } from './samplingGrants';
import { type RecordPen, SamplingLog } from './samplingLog';
import { toolProblem } from './samplingMessages';
import { toResult } from './samplingResult';
import type { ModelAnswer, SamplingPorts, SamplingRecord, SamplingReview } from './samplingTypes';

export interface SamplingDeskDependencies {
  readonly ports: SamplingPorts;
  readonly grants: SamplingGrants;
  readonly records: Signal<readonly SamplingRecord[]>;
  readonly logs: LogFactory;
  readonly clock: Clock;
}

/** One request of a server, under way. */
export interface SamplingRequest {
  readonly server: ServerDefinition;
  /** As `readSampling` gives them. */
  readonly params: CreateMessageRequestParams;
  /** Aborts when the server no longer waits. */
  readonly signal: AbortSignal;
  /** Aborts when the server has no more to do of what was asked of it; absent where there is nothing of the kind. */
  readonly over: AbortSignal | undefined;
  /** Who waits for what was asked of it, where they can be told something. */
  readonly answerer: Answerer | undefined;
}

interface Work extends Omit<SamplingRequest, 'over'> {
  readonly interactive: boolean;
  readonly standing: boolean | undefined;
  readonly pen: RecordPen;
}

interface Answered {
  readonly review: SamplingReview;
  readonly answer: ModelAnswer;
}

/** A no that the server gets with the spec's number (client/sampling, error handling). */
class Rejected extends Error {
  readonly code = -1;
}

/**
 * Where servers ask for models: each request is bounded, allowed by the person, sent, seen by the person again, and on
 * record. What was allowed for longer is not seen, but bounded and on record like the others.
 */
export class SamplingDesk {
  private readonly budget: SamplingBudget;
  private readonly log: SamplingLog;
  /** A person reads one thing at a time. */
  private readonly reviews = new Sequencer();

  constructor(private readonly deps: SamplingDeskDependencies) {
    this.budget = new SamplingBudget(deps.ports.settings, deps.clock);
    this.log = new SamplingLog(deps.records, deps.clock);
  }

  async answer(request: SamplingRequest): Promise<CreateMessageResult | CreateMessageResultWithTools> {
    const { server, params, over, answerer } = request;
    const standing = this.deps.grants.of(server);
    // What is allowed without a question may go on in the background.
    const signal = standing || !over ? request.signal : AbortSignal.any([request.signal, over]);
    const pen = this.log.begin(server, params);
    const log = this.deps.logs.forServer(server.key);
    try {
      const work = this.work({ server, params, signal, answerer, interactive: over !== undefined, standing, pen });
      const { review, answer } = await orAborted(work, signal, `The request of "${server.key}" for a model`);
      pen.end({ outcome: 'ok', answer: answer.content, outputTokens: answer.tokens });
      log.info(`It asked for a model: ${review.model.name} answered with ${answer.tokens} tokens.`);
      return toResult(answer, review);
    } catch (error) {
      const problem = toProblem(error);
      const unwanted = PorticoError.is(error, 'CANCELLED') ? 'cancelled' : 'failed';
      pen.end({ outcome: error instanceof Rejected ? 'refused' : unwanted, problem });
      log.info(`It asked for a model: ${problem.message}`);
      throw error;
    }
  }

  private async work(work: Work): Promise<Answered> {
    const { server, params, signal, interactive, standing, pen } = work;
    if (standing === false) {
      throw new Rejected('User rejected sampling request');
    }
    if (standing === undefined && !interactive) {
      throw new Rejected('User rejected sampling request: it came while nobody used the server, so nobody was asked');
    }
    const allowance = this.budget.admit(server);
    try {
      const chosen = await this.choose(work);
      pen.note({ model: chosen.model, inputTokens: chosen.inputTokens });
      allowance.reserve(chosen.inputTokens, params.maxTokens);
      const seen = standing ? undefined : await this.reviews.run(() => this.askFirst(chosen, signal));
      const review = seen ?? chosen;
      const { model, inputTokens } = review;
      pen.note({ outcome: 'running', reviewed: seen !== undefined, params: review.params, model, inputTokens });
      const answer = await this.send(review, work, allowance);
      pen.note({ outputTokens: answer.tokens });
      // Who allowed more than this once wants to see no more of it.
      const isShown = seen !== undefined && !this.deps.grants.of(server);
      return { review, answer: isShown ? await this.reviews.run(() => this.askLast(review, answer, signal)) : answer };
    } finally {
      allowance.close();
    }
  }

  /** The most fitting model that takes so much. */
  private async choose({ params, server, answerer }: Work): Promise<SamplingReview> {
    const tell = (where: string): void => answerer?.tell?.(where);
    const { backend, settings } = this.deps.ports;
    const wanted = settings.modelsFor(server);
    const models = rankModels(await backend.models(), wanted, settings.order(), params.modelPreferences);
    const check = ({ messages }: CreateMessageRequestParams): string | undefined =>
      messages.length === 0 ? 'Nothing is left of the request' : toolProblem(messages);
    let [needed, taken] = [0, 0];
    for (const model of models) {
      if (model.maxInputTokens > taken) {
        needed = await backend.countTokens(model, params);
        taken = model.maxInputTokens;
        if (needed <= taken) {
          return { server, model, models, params, inputTokens: needed, tell, check };
        }
      }
    }
    const { key } = server;
    if (taken > 0) {
      throw tooLong(key, needed, taken);
    }
    const reason =
      wanted.length > 0
        ? `none of those in "portico.sampling.models" is there (${wanted.join(', ')})`
        : 'there is none. Install an extension that brings one, or choose one in the model picker of the chat';
    throw new PorticoError('NO_MODEL', `"${key}" asked for a language model, but ${reason}.`, { server: key });
  }

  /** What the person lets through, as they left it; nothing where they allowed the server for longer meanwhile. */
  private async askFirst(review: SamplingReview, signal: AbortSignal): Promise<SamplingReview | undefined> {
    const { grants, logs, ports } = this.deps;
    const { server } = review;
    untilNow(signal, server);
    const standing = grants.of(server);
    if (standing) {
      return undefined;
    }
    const answer = standing === false ? refusal : await ports.ui.reviewRequest(review, signal);
    untilNow(signal, server);
    grants.add(server, answer.kind === 'allow', answer.duration).catch((error: unknown) => {
      logs.own.error(`What was answered to ${server.key} could not be kept.`, error);
    });
    if (answer.kind === 'refuse') {
      throw new Rejected('User rejected sampling request');
    }
    const { model, params } = answer;
    const same = model === review.model && JSON.stringify(params) === JSON.stringify(review.params);
    const inputTokens = same ? review.inputTokens : await ports.backend.countTokens(model, params);
    if (inputTokens > model.maxInputTokens) {
      throw tooLong(server.key, inputTokens, model.maxInputTokens);
    }
    return { ...review, model, params, inputTokens };
  }

  /** The answer as the person lets it go back. */
  private async askLast(review: SamplingReview, answer: ModelAnswer, signal: AbortSignal): Promise<ModelAnswer> {
    untilNow(signal, review.server);
    const content = await this.deps.ports.ui.reviewAnswer(review, answer, signal);
    untilNow(signal, review.server);
    if (!content) {
      throw new Rejected('User rejected sampling request');
    }
    const same = JSON.stringify(content) === JSON.stringify(answer.content);
    return same ? answer : this.bounded(content, review, review.params.maxTokens);
  }

  private async send(review: SamplingReview, work: Work, allowance: Allowance): Promise<ModelAnswer> {
    const { server, model, params, inputTokens } = review;
    const { signal, interactive } = work;
    const maxTokens = allowance.reserve(inputTokens, params.maxTokens);
    allowance.spend(inputTokens);
    try {
      const stream = this.deps.ports.backend.send(model, params, { signal, interactive });
      const answer = await this.bounded(stream, review, maxTokens);
      allowance.spend(answer.tokens);
      return answer;
    } catch (error) {
      untilNow(signal, server);
      const said = `The language model ${model.name} did not answer "${server.key}": ${toProblem(error).message}`;
      throw new PorticoError('MODEL_FAILED', said, { server: server.key, cause: error });
    }
  }

  private bounded(
    stream: Parameters<typeof collectAnswer>[0],
    { model, params: { stopSequences } }: SamplingReview,
    maxTokens: number,
  ): Promise<ModelAnswer> {
    const count = (text: string): Promise<number> => this.deps.ports.backend.countTokens(model, text);
    return collectAnswer(stream, { maxTokens, stopSequences, count });
  }
}

const refusal = { kind: 'refuse', duration: 'once' } as const;

function tooLong(key: string, tokens: number, limit: number): PorticoError {
  const said = `The request of "${key}" has ${tokens} tokens; the model takes at most ${limit}. Choose a larger model, or shorten it.`;
  return new PorticoError('MODEL_FAILED', said, { server: key });
}

/** Throws once the server no longer waits. */
function untilNow(signal: AbortSignal, { key }: ServerDefinition): void {
  if (signal.aborted) {
    throw cancelled(`The request of "${key}" for a model`);
  }
}
