// A server that shakes hands, lists and calls like any other, and between that sends mutated messages: SEED and COUNT say
// which and how many. Over stdio, or with `http` over Streamable HTTP, where they come on the streams of GET and POST. The
// tool `flood` sends the next 1,000 and then answers; `echo` answers at once.
import { createServer } from 'node:http';
import { initializeResult, serve, text, tool } from '../../fixtures/servers/stdioBase.mjs';
import { mutatedMessages } from './mutations.mjs';

const ROUND = 1_000;
const messages = mutatedMessages(Number(process.env.SEED), Number(process.env.COUNT));
const capabilities = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  logging: {},
};
const item = { uri: 'fuzz://item', name: 'item' };

const results = {
  initialize: () => initializeResult('2025-11-25', capabilities),
  ping: () => ({}),
  'logging/setLevel': () => ({}),
  'tools/list': () => ({ tools: [tool('echo'), tool('flood')] }),
  'prompts/list': () => ({ prompts: [{ name: 'greet' }] }),
  'resources/list': () => ({ resources: [item] }),
  'resources/templates/list': () => ({ resourceTemplates: [] }),
  'resources/read': () => ({ contents: [{ ...item, text: 'text' }] }),
  'resources/subscribe': () => ({}),
  'resources/unsubscribe': () => ({}),
};

/** The answer to a request; a flood goes to `send` before it. */
function answer({ id, method, params }, send) {
  if (method === 'tools/call') {
    for (let sent = 0; params.name === 'flood' && sent < ROUND; sent += 1) {
      send(messages.next().value ?? '');
    }
    return { jsonrpc: '2.0', id, result: text(params.name) };
  }
  const result = results[method];
  return result
    ? { jsonrpc: '2.0', id, result: result() }
    : { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } };
}

function serveHttp() {
  const standing = new Set();
  const headers = { 'content-type': 'text/event-stream', 'mcp-session-id': 'fuzz' };
  const event = (line) => `data: ${line}\n\n`;
  createServer(async (request, response) => {
    if (request.method === 'GET') {
      response.writeHead(200, headers).flushHeaders();
      standing.add(response);
      response.on('close', () => standing.delete(response));
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
    let turn = 0;
    const send = (line) => {
      turn += 1;
      const [stream] = turn % 2 === 0 && standing.size > 0 ? standing : [response];
      stream.write(event(line));
    };
    const last = answer(message, send);
    response.end(event(JSON.stringify(last)));
  }).listen(0, '127.0.0.1', function () {
    console.log(`http://127.0.0.1:${this.address().port}/mcp`);
  });
}

if (process.argv[2] === 'http') {
  serveHttp();
} else {
  serve({}, (message) => {
    if (message.id === undefined || !message.method) {
      return false;
    }
    const last = answer(message, (line) => process.stdout.write(`${line}\n`));
    process.stdout.write(`${JSON.stringify(last)}\n`);
    return true;
  });
}
