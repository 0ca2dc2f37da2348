import { isObject, type JsonObject } from '../../base/jsonObject';

/** One round with the model: what it said, the tools it called and what came back, as text. */
export interface Exchange {
  readonly text: string;
  readonly calls: readonly ExchangeCall[];
}

export interface ExchangeCall {
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
  readonly result: string;
}

/** A result kept for later turns, and all that one turn keeps, in characters. */
export const maxKeptResult = 4_000;
const maxKept = 60_000;

/** The exchanges of one turn as the chat stores them; the oldest results go first where it is too much. */
export function toMetadata(exchanges: readonly Exchange[]): Readonly<Record<string, unknown>> {
  let room = maxKept;
  const kept: Exchange[] = [];
  for (const exchange of [...exchanges].reverse()) {
    const calls = exchange.calls.map((call) => {
      const input = JSON.stringify(call.input);
      const small = input.length <= maxKeptResult ? call.input : {};
      room -= Math.min(input.length, maxKeptResult) + Math.min(call.result.length, maxKeptResult);
      const result = room > 0 ? call.result.slice(0, maxKeptResult) : '[result not kept]';
      return { ...call, input: small, result };
    });
    kept.unshift({ text: exchange.text.slice(0, maxKept), calls });
  }
  return { exchanges: kept };
}

/** Reads what an earlier turn stored; anything that is not an exchange is passed over. */
export function readExchanges(metadata: unknown): readonly Exchange[] {
  const stored = isObject(metadata) ? metadata['exchanges'] : undefined;
  return (Array.isArray(stored) ? stored : []).flatMap((entry: unknown) => {
    if (!isObject(entry) || typeof entry['text'] !== 'string' || !Array.isArray(entry['calls'])) {
      return [];
    }
    return [{ text: entry['text'], calls: entry['calls'].flatMap(readCall) }];
  });
}

function readCall(call: unknown): ExchangeCall[] {
  if (!isObject(call)) {
    return [];
  }
  const { id, name, input, result } = call;
  const whole = typeof id === 'string' && typeof name === 'string' && typeof result === 'string' && isObject(input);
  return whole ? [{ id, name, input, result }] : [];
}
