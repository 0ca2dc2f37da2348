import { isObject } from '../base/jsonObject';
import { type AgentMessage, invalid, readValue } from './agentMessage';

interface Batch {
  /** How many answers are still to come, by the ids of their requests. */
  readonly waiting: Map<unknown, number>;
  readonly answers: string[];
}

/** Batches (up to 2025-03-26): their messages go on one by one, and their answers come back together. */
export class Batches {
  private readonly open = new Set<Batch>();

  constructor(private readonly emit: (text: string) => void) {}

  /** Takes a batch apart. */
  receive(elements: readonly unknown[], pass: (message: AgentMessage) => void): void {
    if (elements.length === 0) {
      this.emit(invalid(undefined, 'Invalid request: an empty batch.').answer);
      return;
    }
    const batch: Batch = { waiting: new Map(), answers: [] };
    const messages: AgentMessage[] = [];
    for (const element of elements) {
      const line = readValue(element);
      if (line.kind === 'invalid') {
        batch.answers.push(line.answer);
      } else if (line.message.method === 'initialize') {
        batch.answers.push(invalid(line.message.id, 'Invalid request: initialize cannot be part of a batch.').answer);
      } else {
        const { id, method } = line.message;
        if (id !== undefined && method !== undefined) {
          batch.waiting.set(id, (batch.waiting.get(id) ?? 0) + 1);
        }
        messages.push(line.message);
      }
    }
    this.open.add(batch);
    this.settle(batch);
    messages.forEach(pass);
  }

  /** Sends what goes to the agent, or keeps it until the other answers of its batch are there. */
  out(text: string): void {
    const id = this.open.size > 0 ? answeredId(text) : undefined;
    const batch = id === undefined ? undefined : this.batchOf(id);
    if (batch === undefined) {
      this.emit(text);
    } else {
      batch.answers.push(text);
      this.count(batch, id);
    }
  }

  /** A request that was cancelled has no answer. */
  forget(id: unknown): void {
    const batch = this.batchOf(id);
    if (batch !== undefined) {
      this.count(batch, id);
    }
  }

  private batchOf(id: unknown): Batch | undefined {
    return [...this.open].find(({ waiting }) => waiting.has(id));
  }

  private count(batch: Batch, id: unknown): void {
    const left = (batch.waiting.get(id) ?? 1) - 1;
    if (left > 0) {
      batch.waiting.set(id, left);
    } else {
      batch.waiting.delete(id);
    }
    this.settle(batch);
  }

  private settle(batch: Batch): void {
    if (batch.waiting.size === 0) {
      this.open.delete(batch);
      if (batch.answers.length > 0) {
        this.emit(`[${batch.answers.join(',')}]`);
      }
    }
  }
}

function answeredId(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return isObject(value) && value['method'] === undefined ? value['id'] : undefined;
}
