import { randomUUID } from 'node:crypto';
import type { CreateMessageRequestParams, SamplingMessageContentBlock } from '@modelcontextprotocol/client';
import type { Signal } from '@preact/signals-core';
import { largerThan } from '../../base/jsonSize';
import type { Clock } from '../../base/clock';
import type { ServerDefinition } from '../config/configTypes';
import { blocksOf } from './samplingMessages';
import type { SamplingRecord } from './samplingTypes';

type Block = SamplingMessageContentBlock;

/** How many requests are kept of each server, so that a busy one pushes out none of the others. */
const maxOfServer = 50;
/** Prompts and answers above this (characters) are not kept. */
const maxText = 256 * 1024;

/** Writes one record until its request has ended. */
export interface RecordPen {
  note(change: Partial<SamplingRecord>): void;
  end(change: Partial<SamplingRecord>): void;
}

/** Writes down every request of a server for a model; in memory, since prompts hold what people work on. */
export class SamplingLog {
  constructor(
    private readonly records: Signal<readonly SamplingRecord[]>,
    private readonly clock: Clock,
  ) {}

  begin({ id: server, key }: ServerDefinition, params: CreateMessageRequestParams): RecordPen {
    const id = randomUUID();
    const startedAt = this.clock.now();
    const record = { id, server, key, startedAt, outcome: 'waiting', reviewed: false } as const;
    const records = [{ ...record, ...kept({ params }) }, ...this.records.peek()];
    const ofServer = records.filter((one) => one.server === server);
    const oldest = ofServer.length > maxOfServer ? ofServer.at(-1) : undefined;
    this.records.value = records.filter((one) => one !== oldest);
    let ended = false;
    const note = (change: Partial<SamplingRecord>): void => {
      if (!ended) {
        const next = kept(change);
        this.records.value = this.records.peek().map((one) => (one.id === id ? { ...one, ...next } : one));
      }
    };
    return {
      note,
      end: (change) => {
        note({ ...change, durationMs: this.clock.now() - startedAt });
        ended = true;
      },
    };
  }
}

function kept({ params, answer, ...rest }: Partial<SamplingRecord>): Partial<SamplingRecord> {
  return {
    ...rest,
    ...(params ? small({ params: withoutData(params) }) : {}),
    ...(answer ? small({ answer: answer.map(dataless) }) : {}),
  };
}

/** What is small enough to be kept; a larger one leaves what was kept before. */
function small<T extends object>(value: T): Partial<T> {
  return largerThan(value, maxText) ? {} : value;
}

function withoutData(params: CreateMessageRequestParams): CreateMessageRequestParams {
  const messages = params.messages.map((message) => ({ ...message, content: blocksOf(message).map(dataless) }));
  return { ...params, messages };
}

function dataless(block: Block): Block {
  return block.type === 'image' || block.type === 'audio' ? { ...block, data: '' } : block;
}
