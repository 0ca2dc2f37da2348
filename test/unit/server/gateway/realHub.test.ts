import assert from 'node:assert/strict';
import { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Hub } from '../../../../src/core/hubTypes';
import { openTestHub, type TestHub } from '../../../harness/testHub';
import { GatewayHarness } from '../gatewayHarness';

const packages = resolve('node_modules');
const node = (...args: string[]): object => ({ command: process.execPath, args });
const servers = {
  everything: node(join(packages, '@modelcontextprotocol/server-everything/dist/index.js'), 'stdio'),
  context7: node(join(packages, '@upstash/context7-mcp/dist/index.js')),
  hanging: node('-e', 'setInterval(() => {}, 1000)'),
  dead: node('-e', 'process.exit(3)'),
};

describe('gateway over a real hub', function () {
  this.timeout(60_000);
  let folder: string;
  let opened: TestHub | undefined;
  let harness: GatewayHarness | undefined;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ptest-'));
  });

  afterEach(async () => {
    await close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function openAll(): Promise<{ hub: Hub; harness: GatewayHarness }> {
    opened = await openTestHub(servers, { folder });
    const { hub } = opened;
    harness = await GatewayHarness.open(hub);
    return { hub, harness };
  }

  async function close(): Promise<void> {
    harness?.dispose();
    harness = undefined;
    await opened?.close();
    opened = undefined;
  }

  it('lists from the cache of the last run without a process, and starts one for the first call', async () => {
    const first = await openAll();
    await first.hub.start('everything', { interactive: false });
    const names = first.hub.catalog.toolsOf('everything').map(({ chatName }) => chatName);
    await close();

    const { harness: endpoints } = await openAll();
    const began = performance.now();
    const client = await endpoints.client('everything');
    const { tools } = await client.listTools();
    const { prompts } = await client.listPrompts();
    const { resources } = await client.listResources();
    const took = performance.now() - began;
    assert.deepEqual(
      tools.map(({ name }) => name),
      names,
    );
    assert.deepEqual([prompts.length, resources.length], [4, 7]);
    assert.equal(client.getServerVersion()?.title, 'everything');
    assert.equal(children(), 0);
    assert.ok(took < 1_000, `${took} ms`);

    const echo = await client.callTool({ name: 'echo', arguments: { message: 'hi' } });
    assert.deepEqual(echo.content, [{ type: 'text', text: 'Echo: hi' }]);
    assert.equal(children(), 1);
    const seen: number[] = [];
    await client.callTool(
      { name: 'trigger-long-running-operation', arguments: { duration: 0.2, steps: 2 } },
      { onprogress: ({ progress }) => seen.push(progress) },
    );
    assert.deepEqual(seen, [1, 2]);
    const broken = await client.callTool({ name: 'echo', arguments: { message: 1 } });
    assert.equal(broken.isError, true);
    const [resource] = resources;
    assert.ok(resource);
    assert.equal((await client.readResource({ uri: resource.uri })).contents[0]?.uri, resource.uri);
    assert.equal(children(), 1);
  });

  it('starts a server that was never seen in the background; a stateless one is served in the session era', async () => {
    const { harness: endpoints } = await openAll();
    let arrived = () => {};
    const changed = new Promise<void>((done) => (arrived = done));
    const client = await endpoints.client('context7', 'legacy', (it) =>
      it.setNotificationHandler('notifications/tools/list_changed', () => arrived()),
    );
    const { tools } = await client.listTools();
    if (tools.length === 0) {
      await changed;
    }
    const names = (await client.listTools()).tools.map(({ name }) => name);
    assert.ok(names.includes('resolve-library-id'), names.join());
    assert.equal(opened?.hub?.server('context7')?.lastInfo.peek()?.era, 'stateless');
  });

  it('never waits for a hanging or dead server longer than a second', async () => {
    const { harness: endpoints } = await openAll();
    for (const id of ['hanging', 'dead']) {
      const client = await endpoints.client(id);
      const began = performance.now();
      assert.deepEqual((await client.listTools()).tools, []);
      assert.ok(performance.now() - began < 1_500, id);
    }
    const client = await endpoints.client('dead');
    const result = await client.callTool({ name: 'any', arguments: {} });
    assert.equal(result.isError, true);
    assert.match(JSON.stringify(result.content), /dead/);
  });
});

function children(): number {
  const { _getActiveHandles: handles } = process as unknown as { _getActiveHandles(): unknown[] };
  return handles.call(process).filter((handle) => handle instanceof ChildProcess).length;
}
