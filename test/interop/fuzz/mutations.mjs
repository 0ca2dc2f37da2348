// Messages of a server that has lost its mind, the same ones for the same seed: every kind of message of the protocol, with
// some of its values or bytes replaced.
import { sessionCorpus } from './sessionCorpus.mjs';
import { statelessCorpus, statelessQuestions } from './statelessCorpus.mjs';

const corpora = { session: sessionCorpus, stateless: statelessCorpus };

/** Mulberry32, a small generator of numbers from 0 to 1. */
function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const oddValues = [
  ...[null, true, 0, -1, 1.5, 1e308, 2 ** 53, '', ' ', '\u0000', '\ud800', '💥', '../../etc/passwd', 'javascript:x'],
  ...['__proto__', 'constructor', 'x'.repeat(10_000), [], {}, [[[[]]]], { __proto__: null, a: { b: { c: {} } } }],
];

/** Ways to mutate, with numbers of their own from the seed. */
function mutator(seed) {
  const random = randomFrom(seed);
  const below = (limit) => Math.floor(random() * limit);
  const pick = (list) => list[below(list.length)];

  const mutateValue = (value, depth = 0) => {
    const isOpen = typeof value === 'object' && value !== null && Object.keys(value).length > 0;
    if (!isOpen || depth > 6 || random() < 0.15) {
      return pick(oddValues);
    }
    const copy = Array.isArray(value) ? [...value] : { ...value };
    const key = pick(Object.keys(copy));
    const choice = random();
    if (choice < 0.2) {
      delete copy[key];
    } else if (choice < 0.3) {
      copy[pick(['_meta', 'id', 'params', 'result', '__proto__', 'extra'])] = pick(oddValues);
    } else {
      copy[key] = mutateValue(copy[key], depth + 1);
    }
    return copy;
  };
  /** Below the envelope, so that it stays a message with a method that is known. */
  const mutateInside = (message) => {
    const place = ['params', 'result', 'error'].find((name) => name in message) ?? 'params';
    return { ...message, [place]: mutateValue(message[place] ?? {}) };
  };
  const mutateText = (text) => {
    const at = below(text.length);
    const cut = text.slice(0, at);
    const choice = random();
    if (choice < 0.3) {
      return cut;
    }
    const rest = text.slice(at + below(4));
    return `${cut}${choice < 0.6 ? String.fromCharCode(1 + below(0x2fff)) : pick(['{', '}', '"', ',', '[', '\\u'])}${rest}`;
  };

  return { random, below, pick, mutateValue, mutateInside, mutateText };
}

/**
 * Makes `count` lines of text of that era, each one message or what is left of one. `recent` gives the id of the host's last
 * request: answers are for that one or for those before it.
 */
export function* mutatedMessages(seed, count, era, recent = () => 40) {
  const { random, below, pick, mutateValue, mutateInside, mutateText } = mutator(seed);
  for (let made = 0; made < count; made += 1) {
    const message = { jsonrpc: '2.0', ...pick(corpora[era](`s${below(50)}`, Math.max(0, recent() - below(8)))) };
    const choice = random();
    if (choice < 0.1) {
      yield JSON.stringify(message);
    } else if (choice < 0.7) {
      yield JSON.stringify(mutateInside(message));
    } else if (choice < 0.85) {
      yield JSON.stringify(mutateValue(message));
    } else {
      // A line end inside would make two lines of it.
      yield mutateText(JSON.stringify(message)).replace(/[\r\n]/g, ' ');
    }
  }
}

/** Results that want input, or what is left of such: for the stateless era, without end. */
export function* mutatedQuestions(seed) {
  const { random, pick, mutateValue } = mutator(seed);
  for (;;) {
    const question = pick(statelessQuestions);
    yield random() < 0.2 ? question : mutateValue(question);
  }
}

/** What is left of that result, without end. */
export function* mutatedResults(seed, result) {
  const { mutateValue } = mutator(seed);
  for (;;) {
    yield mutateValue(result);
  }
}

const known = new Set(Object.values(corpora).flatMap((of) => of('', 0).flatMap(({ method }) => method ?? [])));

/** Whether a line is still JSON-RPC: a known method, or an answer. */
export function isMessage(line) {
  try {
    const message = JSON.parse(line);
    return message?.jsonrpc === '2.0' && (known.has(message.method) || 'result' in message || 'error' in message);
  } catch {
    return false;
  }
}
