import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { connect as connectSocket, createServer, type AddressInfo } from 'node:net';
import { connectionTo, stopAll } from '../testConnection';

const EVERYTHING = 'node_modules/@modelcontextprotocol/server-everything/dist/index.js';
const CONTEXT7 = 'node_modules/@upstash/context7-mcp/dist/index.js';

describe('real remote servers', function () {
  this.timeout(60_000);
  let child: ChildProcess | undefined;

  const run = async (args: (port: number) => string[], variable?: string): Promise<string> => {
    const port = await freePort();
    const env = variable === undefined ? process.env : { ...process.env, [variable]: String(port) };
    child = spawn(process.execPath, args(port), { env, stdio: 'ignore' });
    while (!(await listens(port))) {
      assert.equal(child.exitCode, null);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return `http://localhost:${port}`;
  };

  afterEach(async () => {
    await stopAll();
    const ended = child && new Promise((resolve) => child?.once('exit', resolve));
    child?.kill('SIGKILL');
    await ended;
    child = undefined;
  });

  for (const [kind, path] of [
    ['streamableHttp', '/mcp'],
    ['sse', '/sse'],
  ] as const) {
    it(`lists and calls server-everything over ${kind}`, async () => {
      const origin = await run(() => [EVERYTHING, kind], 'PORT');
      const { connection } = connectionTo({ type: 'http', url: `${origin}${path}`, headers: {} });
      await connection.start({ interactive: false });
      const { tools, resources, prompts } = connection.lists.peek();
      assert.ok(tools.items.length > 10 && resources.items.length > 0 && prompts.items.length > 0);
      const result = await connection.callTool('echo', { message: 'hé' });
      assert.deepEqual(result.content, [{ type: 'text', text: 'Echo: hé' }]);
      let updates = 0;
      await connection.callTool(
        'trigger-long-running-operation',
        { duration: 0.2, steps: 2 },
        { onProgress: () => (updates += 1) },
      );
      assert.equal(updates, 2);
    });
  }

  it('speaks the stateless era with context7', async () => {
    const origin = await run((port) => [CONTEXT7, '--transport', 'http', '--port', String(port)]);
    const { connection } = connectionTo({ type: 'http', url: `${origin}/mcp`, headers: {} });
    await connection.start({ interactive: false });
    const state = connection.state.peek();
    assert.ok(state.kind === 'ready');
    assert.deepEqual([state.info.era, state.info.protocolVersion], ['stateless', '2026-07-28']);
    assert.ok(connection.lists.peek().tools.items.length > 0);
  });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectSocket({ port, host: 'localhost' });
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}
