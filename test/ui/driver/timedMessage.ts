import { setTimeout as delay } from 'node:timers/promises';
import type { Workbench } from './workbench';

export interface TimedMessage {
  /** From its sending to the model's first request, in milliseconds; Infinity where none came within the bound. */
  readonly ms: number;
  /** Names of the tools that this request offered. */
  readonly tools: readonly string[];
  /** The answer, or what stands in its place at the bound. */
  readonly answer: string;
}

/** Sends a message in a new agent-mode chat; `bound` in milliseconds. */
export async function timedMessage({ chat, model }: Workbench, bound = 60_000): Promise<TimedMessage> {
  await chat.clear();
  await model.script({ say: 'answered' });
  const sent = await chat.send('hello');
  for (;;) {
    const request = (await model.requests()).find(({ tools }) => tools.length > 0);
    if (request) {
      const tools = request.tools.map(({ name }) => name);
      return { ms: request.at - sent, tools, answer: await chat.waitForAnswer('answered') };
    }
    if (Date.now() - sent > bound) {
      return { ms: Infinity, tools: [], answer: await chat.responses.last().innerText() };
    }
    await delay(50);
  }
}
