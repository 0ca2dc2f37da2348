// The raw limit of a server: JSON-RPC over stdio or HTTP by hand, no SDK, no validation.
// `node rawServer.mjs stdio` or `node rawServer.mjs http` (prints its port on stdout).
import { createServer } from 'node:http';

const text64 = 'x'.repeat(64);
const big = JSON.stringify(
  Array.from({ length: 100_000 }, (_, index) => `const line${index} = "value\\t${index}";\n`)
    .join('')
    .repeat(3),
).slice(1, 10 * 1024 * 1024);
const bigText = JSON.parse(`"${big.replace(/\\+$/, '')}"`);

const toolOf = (index) => ({
  name: `tool_${index}`,
  title: `Tool number ${index}`,
  description: `Does the work number ${index}: ${'a sentence that says what it is good for. '.repeat(4)}`,
  inputSchema: {
    type: 'object',
    properties: { text: { type: 'string', description: 'The text.' }, count: { type: 'integer', minimum: 0 } },
    required: ['text'],
  },
});
const count = Number(process.env['TOOLS'] ?? 3);
const tools = [
  {
    name: 'echo',
    description: 'Echoes.',
    inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  },
  { name: 'big', description: '10 MB of text.', inputSchema: { type: 'object' } },
  { name: 'mega', description: '1 MB of text.', inputSchema: { type: 'object' } },
  { name: 'flood', description: 'Sends 10,000 notifications first.', inputSchema: { type: 'object' } },
  ...Array.from({ length: count }, (_, index) => toolOf(index)),
];

const texts = { big: bigText, mega: bigText.slice(0, 1024 * 1024) };
const notification = JSON.stringify({
  jsonrpc: '2.0',
  method: 'notifications/message',
  params: { level: 'debug', logger: 'bench', data: text64 },
});
const flood = `${notification}\n`.repeat(10_000);

function answer({ method, params }) {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {}, resources: {} },
        serverInfo: { name: 'raw', version: '1.0.0' },
      };
    case 'tools/list':
      return { tools };
    case 'tools/call':
      return { content: [{ type: 'text', text: texts[params.name] ?? text64 }] };
    case 'resources/list':
      return { resources: [] };
    case 'resources/templates/list':
      return { resourceTemplates: [] };
    case 'resources/read':
      return { contents: [{ uri: params.uri, mimeType: 'text/plain', text: bigText }] };
    case 'ping':
      return {};
    default:
      return undefined;
  }
}

function respond(message) {
  const result = answer(message);
  return result
    ? { jsonrpc: '2.0', id: message.id, result }
    : { jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'Method not found' } };
}

if (process.argv[2] === 'http') {
  const server = createServer((request, response) => {
    if (request.method !== 'POST') {
      response.writeHead(405).end();
      return;
    }
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const message = JSON.parse(Buffer.concat(chunks).toString());
      if (message.id === undefined) {
        response.writeHead(202).end();
        return;
      }
      const body = Buffer.from(JSON.stringify(respond(message)));
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
    });
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));
  process.stdin.on('end', () => process.exit(0)).resume();
} else {
  let rest = [];
  process.stdin.on('data', (chunk) => {
    let start = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, start)) {
      rest.push(chunk.subarray(start, at));
      const message = JSON.parse(rest.length === 1 ? rest[0].toString() : Buffer.concat(rest).toString());
      rest = [];
      start = at + 1;
      if (message.params?.name === 'flood') {
        process.stdout.write(flood);
      }
      if (message.id !== undefined) {
        process.stdout.write(`${JSON.stringify(respond(message))}\n`);
      }
    }
    if (start < chunk.length) {
      rest.push(chunk.subarray(start));
    }
  });
  process.stdin.on('end', () => process.exit(0));
}
