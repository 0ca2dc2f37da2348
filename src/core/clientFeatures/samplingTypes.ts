import type {
  CreateMessageRequestParams,
  ModelPreferences,
  SamplingMessageContentBlock,
} from '@modelcontextprotocol/client';
import type { ReadonlySignal } from '@preact/signals-core';
import type { Problem } from '../../base/errors';
import type { ServerDefinition } from '../config/configTypes';

/** A model that the surroundings offer. */
export interface SamplingModel {
  readonly id: string;
  /** As people read it. */
  readonly name: string;
  readonly vendor: string;
  readonly family: string;
  readonly maxInputTokens: number;
}

/** What a model answered, and how it came to its end; the API tells no stop reason, so that it is derived. */
export interface ModelAnswer {
  readonly content: readonly SamplingMessageContentBlock[];
  readonly tokens: number;
  /** `whole`: the model had no more to say. The sequence itself is not part of the content. */
  readonly end: 'whole' | 'maxTokens' | 'stopSequence';
}

export interface SendOptions {
  readonly signal: AbortSignal;
  /** Whether a person is there, so that the surroundings may ask whether Portico may use the model at all. */
  readonly interactive: boolean;
}

/** The port to the models (`lm` in the editor). */
export interface ModelBackend {
  /** In the order of the surroundings. */
  models(): Promise<readonly SamplingModel[]>;
  /** Of a text, or of a whole request as the model would get it. */
  countTokens(model: SamplingModel, what: string | CreateMessageRequestParams): Promise<number>;
  /**
   * The answer as it comes, texts piece by piece; whoever stops reading stops the model. `maxTokens` is no business of
   * this port. Rejects with what the model's provider says.
   */
  send(
    model: SamplingModel,
    params: CreateMessageRequestParams,
    options: SendOptions,
  ): AsyncIterable<SamplingMessageContentBlock>;
}

/** The three things that a server may weigh (spec: client/sampling, model preferences). */
export type SamplingPriority = keyof Omit<ModelPreferences, 'hints'>;

/** Parts of names of models, best first, for each priority. */
export type ModelOrder = Readonly<Record<SamplingPriority, readonly string[]>>;

/** How the person wants models chosen and servers bounded, at the time of asking. */
export interface SamplingSettings {
  /** Parts of names of models for one server, best first; no other is used then. Empty where the person does not say. */
  modelsFor(server: ServerDefinition): readonly string[];
  order(): ModelOrder;
  requestsPerMinute(): number;
  /** What goes to models and what comes back together. */
  tokensPerHour(): number;
}

/** What the person is shown before a model gets it, and before the server gets the answer. */
export interface SamplingReview {
  readonly server: ServerDefinition;
  readonly model: SamplingModel;
  /** Those that the request may go to. */
  readonly models: readonly SamplingModel[];
  /** The contents of its messages are lists. */
  readonly params: CreateMessageRequestParams;
  readonly inputTokens: number;
  /** Tells the client whose call led to the request where the person is asked. */
  tell(where: string): void;
  /** Why an edited request cannot be sent; nothing where it can. */
  check(params: CreateMessageRequestParams): string | undefined;
}

/** How long an answer to a server holds. */
export type SamplingDuration = 'once' | 'session' | 'always';

export type SamplingAnswer =
  | { readonly kind: 'refuse'; readonly duration: SamplingDuration }
  | {
      readonly kind: 'allow';
      readonly duration: SamplingDuration;
      readonly model: SamplingModel;
      /** As the person left them. */
      readonly params: CreateMessageRequestParams;
    };

/** The port by which the person reviews, one review at a time; the signal aborts when the server no longer waits. */
export interface SamplingUi {
  reviewRequest(review: SamplingReview, signal: AbortSignal): Promise<SamplingAnswer>;
  /** The answer as the person left it; nothing where they refuse it. */
  reviewAnswer(
    review: SamplingReview,
    answer: ModelAnswer,
    signal: AbortSignal,
  ): Promise<readonly SamplingMessageContentBlock[] | undefined>;
}

export interface SamplingPorts {
  readonly backend: ModelBackend;
  readonly ui: SamplingUi;
  readonly settings: SamplingSettings;
}

/** Gives all that sampling needs, with the first request. Without one the capability is not declared. */
export type SamplingSource = () => Promise<SamplingPorts>;

export type SamplingOutcome = 'waiting' | 'running' | 'ok' | 'refused' | 'failed' | 'cancelled';

/** One request of a server for a model; `startedAt` in milliseconds since the epoch. */
export interface SamplingRecord {
  readonly id: string;
  readonly server: string;
  readonly key: string;
  readonly startedAt: number;
  readonly durationMs?: number;
  readonly outcome: SamplingOutcome;
  readonly problem?: Problem;
  readonly model?: SamplingModel;
  /** Whether the person saw it before it was sent; otherwise what they had allowed or refused decided. */
  readonly reviewed: boolean;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** As it was sent, or would have been, without the data of pictures and sounds; absent where it was too large to keep. */
  readonly params?: CreateMessageRequestParams;
  /** As the server got it, kept the same way. */
  readonly answer?: readonly SamplingMessageContentBlock[];
}

/** What servers had models do, and what they are allowed to. Nothing of it leaves memory but the answers for good. */
export interface Sampling {
  /** Newest first, bounded for each server. */
  readonly records: ReadonlySignal<readonly SamplingRecord[]>;
  /** Takes back what was allowed or refused for this session or for good; for one server, or all. */
  forget(server?: string): Promise<void>;
}
