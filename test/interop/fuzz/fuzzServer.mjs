// A server that shakes hands, lists and calls like any other, and between that sends mutated messages: SEED and COUNT say
// which and how many, the arguments over what (`stdio`, `http`) and of which era (`session`, `stateless`). Over Streamable
// HTTP they come on the streams of POST and on the one that stands: that of GET, or of `subscriptions/listen`. The tool
// `flood` sends the next 1,000 and then answers; `echo` says at once how many were sent; `ask` (stateless) wants input in odd ways. With a
// third argument so many times `server/discover` is answered by what is left of a good answer.
import { createServer } from 'node:http';
import { initializeResult, serve, text, tool } from '../../fixtures/servers/stdioBase.mjs';
import { mutatedMessages, mutatedQuestions, mutatedResults } from './mutations.mjs';

const [transport, era, oddStarts = '0'] = process.argv.slice(2);
const stateless = era === 'stateless';
const seed = Number(process.env.SEED);
const ROUND = 1_000;
let recent = 0;
let sent = 0;
const messages = mutatedMessages(seed, Number(process.env.COUNT), era, () => recent);
const questions = mutatedQuestions(seed);
const capabilities = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  logging: {},
};
const item = { uri: 'fuzz://item', name: 'item' };
const discovered = { supportedVersions: ['2026-07-28'], capabilities, serverInfo: { name: 'fuzz', version: '1' } };
const discoveries = mutatedResults(seed, { resultType: 'complete', ttlMs: 0, cacheScope: 'private', ...discovered });
let starts = 0;
let asked = 0;
let streams = 0;
/** Ids of the streams of changes that stand, with a way to write to each. */
const listening = new Map();

const common = {
  'tools/list': () => ({ tools: ['echo', 'flood', 'ask'].map((name) => tool(name)) }),
  'prompts/list': () => ({ prompts: [{ name: 'greet' }] }),
  'resources/list': () => ({ resources: [item] }),
  'resources/templates/list': () => ({ resourceTemplates: [] }),
  'resources/read': () => ({ contents: [{ ...item, text: 'text' }] }),
};
const results = {
  session: {
    ...common,
    initialize: () => initializeResult('2025-11-25', capabilities),
    ping: () => ({}),
    'logging/setLevel': () => ({}),
    'resources/subscribe': () => ({}),
    'resources/unsubscribe': () => ({}),
  },
  stateless: {
    ...common,
    'server/discover': () => {
      starts += 1;
      return starts <= Number(oddStarts) ? discoveries.next().value : discovered;
    },
  },
}[era];

function resultOf({ method, params }) {
  if (method === 'tools/call') {
    const isAsked = params.inputResponses !== undefined || params.requestState !== undefined;
    asked += isAsked ? 1 : 0;
    const wants = params.name === 'ask' && stateless && !(isAsked && asked % 2 === 0);
    return wants ? questions.next().value : text(`${params.name} ${sent}`);
  }
  return results[method]?.();
}

/** The answer to a request; a flood goes to `send` before it. */
function answer({ id, method, params }, send) {
  recent = id;
  if (method === 'tools/call' && params.name === 'flood') {
    const [stream = 'none'] = listening.keys();
    const put = (line) =>
      line.replaceAll('"$open"', JSON.stringify(id)).replaceAll('"$listen"', JSON.stringify(stream));
    for (let line = 0; line < ROUND; line += 1) {
      const { done, value } = messages.next();
      if (!done) {
        sent += 1;
        send(put(value));
      }
    }
  }
  const result = resultOf({ method, params });
  const complete = stateless ? { resultType: 'complete', ttlMs: 0, cacheScope: 'private' } : {};
  return result
    ? { jsonrpc: '2.0', id, result: typeof result === 'object' ? { ...complete, ...result } : result }
    : { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } };
}

/** Opens a stream of changes (stateless); true where the message wanted one. */
function listen({ id, method, params }, write) {
  if (!stateless || method !== 'subscriptions/listen') {
    return false;
  }
  listening.set(id, write);
  const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
  const acknowledged = { _meta, notifications: params.notifications };
  write(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params: acknowledged }));
  return true;
}

function serveHttp() {
  const headers = { 'content-type': 'text/event-stream', ...(stateless ? {} : { 'mcp-session-id': 'fuzz' }) };
  const event = (line) => `data: ${line}\n\n`;
  createServer(async (request, response) => {
    if (request.method !== 'POST') {
      if (stateless || request.method !== 'GET') {
        response.writeHead(405).end();
        return;
      }
      response.writeHead(200, headers).flushHeaders();
      streams += 1;
      const name = `stream ${streams}`;
      listening.set(name, (line) => response.write(event(line)));
      response.on('close', () => listening.delete(name));
      return;
    }
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) {
      body += chunk;
    }
    const message = body === '' ? {} : JSON.parse(body);
    if (message.id === undefined || !message.method) {
      response.writeHead(202).end();
      return;
    }
    response.writeHead(200, headers);
    const write = (line) => response.write(event(line));
    if (listen(message, write)) {
      response.on('close', () => listening.delete(message.id));
      return;
    }
    let turn = 0;
    const last = answer(message, (line) => {
      turn += 1;
      const [standing] = listening.values();
      (turn % 2 === 0 && standing ? standing : write)(line);
    });
    response.end(event(JSON.stringify(last)));
  }).listen(0, '127.0.0.1', function () {
    console.log(`http://127.0.0.1:${this.address().port}/mcp`);
  });
}

if (transport === 'http') {
  serveHttp();
} else {
  const write = (line) => process.stdout.write(`${line}\n`);
  serve({}, (message) => {
    if (message.id === undefined || !message.method) {
      return false;
    }
    if (!listen(message, write)) {
      write(JSON.stringify(answer(message, write)));
    }
    return true;
  });
}
