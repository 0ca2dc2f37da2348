import type { CreateMessageRequestParams, CreateMessageResult, ModelPreferences } from '@modelcontextprotocol/client';
import type { ReadonlySignal } from '@preact/signals-core';
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

/** What a model answered; the API tells no stop reason, so that it is derived (spec: client/sampling). */
export interface ModelAnswer {
  readonly content: CreateMessageResult['content'] | readonly CreateMessageResult['content'][];
  readonly tokens: number;
  readonly cut: boolean;
}

/** The port to the models (`lm` in the editor). */
export interface ModelBackend {
  models(): Promise<readonly SamplingModel[]>;
  countTokens(model: SamplingModel, params: CreateMessageRequestParams): Promise<number>;
  /** Stops at `maxTokens` by counting. Rejects with what the model's provider says. */
  send(model: SamplingModel, params: CreateMessageRequestParams, signal: AbortSignal): Promise<ModelAnswer>;
}

/** How the person wants models chosen and servers bounded; live. */
export interface SamplingSettings {
  /** Model ids or names for one server, best first; all others are not used then. */
  modelsFor(server: ServerDefinition): readonly string[];
  /** The person's order of models for each of the spec's three priorities, best first. */
  readonly order: ReadonlySignal<Readonly<Record<keyof Omit<ModelPreferences, 'hints'>, readonly string[]>>>;
  readonly requestsPerMinute: ReadonlySignal<number>;
  readonly tokensPerHour: ReadonlySignal<number>;
}

/** What the person is shown before a model gets it, and before the server gets the answer. */
export interface SamplingReview {
  readonly server: ServerDefinition;
  readonly model: SamplingModel;
  readonly models: readonly SamplingModel[];
  readonly params: CreateMessageRequestParams;
  readonly inputTokens: number;
}

export type SamplingAnswer =
  | { readonly kind: 'refuse'; readonly duration: 'once' | 'session' | 'always' }
  | {
      readonly kind: 'allow';
      readonly duration: 'once' | 'session' | 'always';
      readonly model: SamplingModel;
      /** As the person left them. */
      readonly params: CreateMessageRequestParams;
    };

/** The port by which the person reviews; the signal aborts when the server no longer waits. */
export interface SamplingUi {
  reviewRequest(review: SamplingReview, signal: AbortSignal): Promise<SamplingAnswer>;
  /** The answer as the person left it; nothing where they refuse it. */
  reviewAnswer(
    review: SamplingReview,
    answer: ModelAnswer,
    signal: AbortSignal,
  ): Promise<ModelAnswer['content'] | undefined>;
}

/** All that sampling needs; without it the capability is not declared. */
export interface SamplingPorts {
  readonly backend: ModelBackend;
  readonly ui: SamplingUi;
  readonly settings: SamplingSettings;
}
