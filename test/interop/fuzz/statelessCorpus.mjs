// Every kind of message that a server of the stateless era (2026-07-28) may send, and some that it must not.
import { elicitation, question, schema, task } from './sessionCorpus.mjs';

const done = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
const form = { method: 'elicitation/create', params: { message: 'Who?', requestedSchema: schema } };
const page = {
  method: 'elicitation/create',
  params: { mode: 'url', message: 'Go there', url: 'https://example.com/a' },
};
const model = { method: 'sampling/createMessage', params: { messages: [question], maxTokens: 10 } };
const roots = { method: 'roots/list', params: {} };
const wants = (inputRequests, requestState) => ({ resultType: 'input_required', inputRequests, requestState });

/** Results that want input first. */
export const statelessQuestions = [
  wants({ a: form }, 'kept'),
  wants({ a: page }),
  wants({ a: roots, b: form }, '{"round":1}'),
  wants({ a: roots }),
  wants({ a: model }, 'kept'),
  wants({ a: form, b: page, c: roots, d: model }, 'x'.repeat(1_000)),
  wants(undefined, 'later'),
];

/**
 * `id` is one that this side made up; `answered` one that the host may be waiting for. `$open` stands for the request that
 * is being answered, and `$listen` for a stream of changes.
 */
export const statelessCorpus = (id, answered) => {
  const stream = { 'io.modelcontextprotocol/subscriptionId': '$listen' };
  const meta = { _meta: { ...stream, 'io.modelcontextprotocol/serverInfo': { name: 'fuzz', version: '1' } } };
  const changes = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };
  const acknowledged = { ...meta, notifications: { ...changes, resourceSubscriptions: ['fuzz://item'] } };
  return [
    { method: 'notifications/subscriptions/acknowledged', params: acknowledged },
    { method: 'notifications/tools/list_changed', params: meta },
    { method: 'notifications/prompts/list_changed', params: meta },
    { method: 'notifications/resources/list_changed', params: meta },
    { method: 'notifications/resources/updated', params: { ...meta, uri: 'fuzz://item' } },
    { method: 'notifications/message', params: { level: 'info', logger: 'fuzz', data: { a: [1, null] } } },
    { method: 'notifications/progress', params: { progressToken: answered, progress: 1, total: 2, message: 'step' } },
    { method: 'notifications/cancelled', params: { requestId: '$listen', reason: 'why not' } },
    { method: 'notifications/tasks/status', params: { ...meta, ...task } },
    { id, method: 'ping' },
    { id, method: 'elicitation/create', params: form.params },
    {
      id: answered,
      result: { ...done, ...meta, content: [{ type: 'text', text: 'late' }], structuredContent: { a: 1 } },
    },
    { id: answered, result: { ...done, tools: [{ name: 'echo', inputSchema: schema }], nextCursor: 'x' } },
    { id: answered, result: { ...done, contents: [{ uri: 'fuzz://item', text: 'text', mimeType: 'text/plain' }] } },
    { id: answered, result: { ...done, supportedVersions: ['2026-07-28'], capabilities: {}, serverInfo: {} } },
    { id: '$open', result: statelessQuestions[answered % statelessQuestions.length] },
    { id: '$open', result: { resultType: 'task', ...task } },
    { id: '$open', error: { code: -32021, message: 'No', data: { requiredCapabilities: { sampling: {} } } } },
    { id: '$open', error: { code: -32022, message: 'No', data: { supported: ['2026-07-28'], requested: 'x' } } },
    { id: '$open', error: { code: -32042, message: 'URL needed', data: { elicitations: [elicitation] } } },
    { id: '$listen', result: { ...done, ...meta } },
    { id: '$listen', error: { code: -32603, message: 'Internal error', data: { a: 1 } } },
  ];
};
