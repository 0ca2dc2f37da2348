// Messages of a server that has lost its mind, the same ones for the same seed: every kind of message of the protocol, with
// some of its values or bytes replaced.

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

const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
const question = { role: 'user', content: { type: 'text', text: 'Say something.' } };
const task = { taskId: 'one', status: 'working', createdAt: '2026-01-01T00:00:00Z', ttl: 1000, pollInterval: 10 };
const elicitation = { mode: 'url', message: 'Go there', url: 'https://example.com/a', elicitationId: 'one' };

/** `id` is one that this side made up; `answered` one that the host may be waiting for. */
const corpus = (id, answered) => [
  { method: 'notifications/message', params: { level: 'info', logger: 'fuzz', data: { a: [1, null] } } },
  { method: 'notifications/progress', params: { progressToken: answered, progress: 1, total: 2, message: 'step' } },
  { method: 'notifications/tools/list_changed' },
  { method: 'notifications/prompts/list_changed', params: {} },
  { method: 'notifications/resources/list_changed', params: {} },
  { method: 'notifications/resources/updated', params: { uri: 'fuzz://item' } },
  { method: 'notifications/cancelled', params: { requestId: id, reason: 'why not' } },
  { method: 'notifications/elicitation/complete', params: { elicitationId: 'one' } },
  { method: 'notifications/tasks/status', params: task },
  { id, method: 'ping' },
  { id, method: 'roots/list', params: {} },
  { id, method: 'elicitation/create', params: { message: 'Who?', requestedSchema: schema } },
  { id, method: 'elicitation/create', params: elicitation },
  { id, method: 'sampling/createMessage', params: { messages: [question], maxTokens: 10 } },
  { id, method: 'tasks/get', params: { taskId: 'one' } },
  { id: answered, result: { content: [{ type: 'text', text: 'late' }], structuredContent: { a: 1 } } },
  { id: answered, result: { tools: [{ name: 'echo', inputSchema: schema, outputSchema: schema }], nextCursor: 'x' } },
  { id: answered, result: { contents: [{ uri: 'fuzz://item', text: 'text', mimeType: 'text/plain' }] } },
  { id: answered, result: { resultType: 'input_required', inputRequests: { a: { method: 'roots/list' } } } },
  { id: answered, result: { resultType: 'task', task } },
  { id: answered, error: { code: -32603, message: 'Internal error', data: { a: 1 } } },
  { id: answered, error: { code: -32042, message: 'URL needed', data: { elicitations: [elicitation] } } },
];

const oddValues = [
  ...[null, true, 0, -1, 1.5, 1e308, 2 ** 53, '', ' ', '\u0000', '\ud800', '💥', '../../etc/passwd', 'javascript:x'],
  ...['__proto__', 'constructor', 'x'.repeat(10_000), [], {}, [[[[]]]], { __proto__: null, a: { b: { c: {} } } }],
];

/** Makes `count` lines of text, each one message or what is left of one. */
export function* mutatedMessages(seed, count) {
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

  for (let made = 0; made < count; made += 1) {
    const message = { jsonrpc: '2.0', ...pick(corpus(`s${below(50)}`, below(40))) };
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

const known = new Set(corpus('', 0).flatMap(({ method }) => method ?? []));

/** Whether a line is still JSON-RPC: a known method, or an answer. */
export function isMessage(line) {
  try {
    const message = JSON.parse(line);
    return message?.jsonrpc === '2.0' && (known.has(message.method) || 'result' in message || 'error' in message);
  } catch {
    return false;
  }
}
