// Every kind of message that a server of the session era may send.

export const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
export const question = { role: 'user', content: { type: 'text', text: 'Say something.' } };
export const task = {
  taskId: 'one',
  status: 'working',
  createdAt: '2026-01-01T00:00:00Z',
  ttl: 1000,
  pollInterval: 10,
};
export const elicitation = { mode: 'url', message: 'Go there', url: 'https://example.com/a', elicitationId: 'one' };

/** `id` is one that this side made up; `answered` one that the host may be waiting for. */
export const sessionCorpus = (id, answered) => [
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
