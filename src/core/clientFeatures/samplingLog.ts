import type { CreateMessageRequestParams, SamplingMessageContentBlock } from '@modelcontextprotocol/client';
import type { Signal } from '@preact/signals-core';
import { blocksOf } from './samplingMessages';
import type { SamplingRecord } from './samplingTypes';

type Block = SamplingMessageContentBlock;

/** How many requests are kept of each server, so that a busy one pushes out none of the others. */
const maxOfServer = 50;
/** Prompts and answers above this (characters) are not kept. */
const maxText = 256 * 1024;

/** Writes down every request of a server for a model; in memory, since prompts hold what people work on. */
export class SamplingLog {
  constructor(private readonly records: Signal<readonly SamplingRecord[]>) {}

  add(record: SamplingRecord): void {
    const records = [record, ...this.records.peek()];
    const ofServer = records.filter(({ server }) => server === record.server);
    const oldest = ofServer.length > maxOfServer ? ofServer.at(-1) : undefined;
    this.records.value = records.filter((one) => one !== oldest);
  }

  update(id: string, change: Partial<SamplingRecord>): void {
    const { params, answer, ...rest } = change;
    const next = {
      ...rest,
      ...(params ? small({ params: withoutData(params) }) : {}),
      ...(answer ? small({ answer: answer.map(dataless) }) : {}),
    };
    this.records.value = this.records.peek().map((one) => (one.id === id ? { ...one, ...next } : one));
  }
}

/** What is small enough to be kept; a larger one leaves what was kept before. */
function small<T extends object>(value: T): Partial<T> {
  return JSON.stringify(value).length <= maxText ? value : {};
}

function withoutData(params: CreateMessageRequestParams): CreateMessageRequestParams {
  const messages = params.messages.map((message) => ({ ...message, content: blocksOf(message).map(dataless) }));
  return { ...params, messages };
}

function dataless(block: Block): Block {
  return block.type === 'image' || block.type === 'audio' ? { ...block, data: '' } : block;
}
