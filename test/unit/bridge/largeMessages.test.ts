import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { NullLogger } from '../../../src/base/log';
import { PublishedRecord } from '../../../src/server/discovery/publishedRecord';
import { LARGEST_BODY_BYTES } from '../../../src/server/serverTypes';
import { eventually } from '../core/connections/until';
import { someRecord } from '../server/discovery/someRecord';
import { initialize, rpc } from '../server/gatewayHarness';
import { BridgeProgram } from './bridgeProcess';

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'agent', version: '1' },
};

describe('bridge: large messages', function () {
  this.timeout(60_000);
  let program: BridgeProgram;
  let servers: Server[] = [];

  before(async () => {
    program = await BridgeProgram.build();
  });

  afterEach(() => {
    program.closeWindows();
    servers.forEach((server) => server.close());
    servers = [];
  });
  after(() => program.dispose());

  /** A call as a text of so many bytes. */
  function call(id: string, bytes: number, more: Record<string, unknown> = {}): string {
    const text = (filling: string): string =>
      JSON.stringify(rpc('tools/call', { name: 'who', arguments: { text: filling }, ...more }, id));
    const left = bytes - text('').length;
    return text(`${'ü'.repeat(left >> 1)}${left % 2 === 1 ? 'x' : ''}`);
  }

  it('that a window does not take are refused by their bytes, with both sizes, and the session goes on', async () => {
    const window = await program.open('one');
    let calls = 0;
    window.offers.onCall = async () => String((calls += 1));
    const agent = program.start();
    agent.send(initialize('2025-11-25', 0));
    for (const era of [{}, { _meta: meta }]) {
      const name = Object.keys(era).join();
      const sizes = [LARGEST_BODY_BYTES + 1, 66 * 1024 * 1024];
      for (const bytes of sizes) {
        const id = `${name}${bytes}`;
        agent.send(call(id, bytes, era));
        const { error } = await agent.answer(id);
        assert.deepEqual(error, {
          code: -32_600,
          message: `The message is too large: it has ${bytes} bytes, and an editor window takes at most 16777216.`,
        });
      }
      assert.equal(calls, 0);
      agent.send(call(`${name} fits`, LARGEST_BODY_BYTES, era));
      assert.match(JSON.stringify(await agent.answer(`${name} fits`)), /"text":"1"/);
      calls = 0;
    }
    assert.equal(await agent.end(), 0);
    assert.deepEqual(
      agent.said
        .join('')
        .match(/^.*$/gm)
        ?.filter((line) => !/Connected/.test(line) && line !== ''),
      [],
    );
  });

  it('are told of where nobody has an answer to come: a notification on stderr, an answer to the window that asked', async () => {
    const window = await program.open('one');
    window.offers.onServer = (server) => {
      window.offers.onCall = () => server.listRoots().then(String, (error: unknown) => String(error));
    };
    const agent = program.start();
    const clientInfo = { name: 'agent', version: '1' };
    agent.send(rpc('initialize', { protocolVersion: '2025-11-25', capabilities: { roots: {} }, clientInfo }, 0));
    agent.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    const text = 'x'.repeat(LARGEST_BODY_BYTES);
    agent.send({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, message: text } });
    agent.send(call('asks', 200));
    const asked = (): { readonly id: unknown } | undefined =>
      agent.lines
        .map((line) => JSON.parse(line) as { id: unknown; method?: string })
        .find(({ method }) => method === 'roots/list');
    await eventually(() => asked() !== undefined);
    agent.send({ jsonrpc: '2.0', id: asked()?.id, result: { roots: [{ uri: `file:///${text}` }] } });
    assert.match(JSON.stringify(await agent.answer('asks')), /The message is too large: it has 16777\d+ bytes/);
    assert.equal(await agent.end(), 0);
    assert.match(
      agent.said.join(''),
      /^portico: The message is too large: .* It is not sent: notifications\/progress\.$/m,
    );
    assert.match(
      agent.said.join(''),
      /^portico: The message is too large: .* It is not sent: an answer of the agent\.$/m,
    );
  });

  it('that no text of Node can hold are answered too, and those after them', async () => {
    const agent = program.start();
    const chunk = ' '.repeat(16 * 1024 * 1024);
    for (let sent = 0; sent < 36; sent += 1) {
      await agent.write(chunk);
    }
    agent.send('');
    agent.send(rpc('ping', {}, 'next'));
    assert.deepEqual(await agent.answer('next'), { jsonrpc: '2.0', id: 'next', result: {} });
    assert.match(agent.lines[0] ?? '', /"id":null,.*a message of more than 134217728 characters is not read/);
    assert.equal(await agent.end(), 0);
  });

  /** A window that closes each connection with a message once so many bytes have come; gives how many requests there were. */
  async function cuttingWindow(after: number): Promise<() => number> {
    let requests = 0;
    const path = join(program.folder, 'cutting.sock');
    const server = createServer((socket) => {
      let size = 0;
      socket.on('error', () => undefined);
      socket.on('data', (chunk) => {
        if (chunk.toString('latin1', 0, 4) === 'GET ') {
          socket.end('HTTP/1.1 405 Method Not Allowed\r\nContent-Length: 0\r\n\r\n');
          return;
        }
        requests += size === 0 ? 1 : 0;
        size += chunk.length;
        if (size >= after) {
          socket.destroy();
        }
      });
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(path, resolve));
    const record = someRecord('cutting', { address: { kind: 'socket', path } }, program.folder);
    const published = new PublishedRecord(program.home, record, new NullLogger());
    await published.written;
    server.once('close', () => published.dispose());
    return () => requests;
  }

  it('that are cut off while they are sent were not worked on; the window has not gone away for that', async () => {
    const requests = await cuttingWindow(1_000_000);
    const agent = program.start();
    agent.send(call('cut', 12_000_000, { _meta: meta }));
    const { result } = await agent.answer('cut');
    assert.match(JSON.stringify(result), /ended before the whole request was sent: nothing was done\. Try again\./);
    assert.equal(requests(), 4);
    assert.equal(await agent.end(), 0);
    assert.doesNotMatch(agent.said.join(''), /gone away/);
  });

  it('that a window had whole may have been worked on, and are sent once', async () => {
    const requests = await cuttingWindow(12_000_000);
    const agent = program.start();
    agent.send(call('lost', 12_000_000, { _meta: meta }));
    const { result } = await agent.answer('lost');
    assert.match(JSON.stringify(result), /went away before it answered: what was asked for may or may not have been/);
    assert.equal(requests(), 1);
    assert.equal(await agent.end(), 0);
  });
});
