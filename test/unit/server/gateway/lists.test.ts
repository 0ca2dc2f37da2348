import assert from 'node:assert/strict';
import type { Client } from '@modelcontextprotocol/client';
import { signal } from '@preact/signals-core';
import { FakeHub, fakeServer, listsOf, tool } from '../fakeHub';
import { GatewayHarness } from '../gatewayHarness';

describe('gateway: what an endpoint offers', () => {
  let harness: GatewayHarness | undefined;

  afterEach(() => {
    harness?.dispose();
    harness = undefined;
  });

  const connect = async (hub: FakeHub, id: string, prepare?: (client: Client) => void): Promise<Client> => {
    harness ??= await GatewayHarness.open(hub.asHub());
    return harness.client(id, 'legacy', prepare);
  };

  it('answers initialize and every list from what is known, starting nothing', async () => {
    const hub = new FakeHub(
      fakeServer('jira', {
        tools: [tool('create_issue', { description: 'Creates' })],
        prompts: [{ name: 'hello' }],
        resources: [{ uri: 'KB://Docs/A b', name: 'doc' }],
        templates: [{ uriTemplate: 'kb://{id}', name: 'docs' }],
      }),
    );
    const client = await connect(hub, 'jira');
    assert.deepEqual(client.getServerVersion(), { name: 'jira', title: 'jira', version: '1.2.3' });
    assert.equal(client.getInstructions(), 'How to use jira.');
    assert.deepEqual(client.getServerCapabilities(), {
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { listChanged: true },
      completions: {},
      logging: {},
    });
    assert.deepEqual(
      (await client.listTools()).tools.map(({ name, description }) => [name, description]),
      [['create_issue', 'Creates']],
    );
    assert.deepEqual((await client.listPrompts()).prompts, [{ name: 'hello' }]);
    assert.deepEqual((await client.listResources()).resources, [{ uri: 'KB://Docs/A b', name: 'doc' }]);
    assert.deepEqual((await client.listResourceTemplates()).resourceTemplates, [
      { uriTemplate: 'kb://{id}', name: 'docs' },
    ]);
    assert.deepEqual(hub.started, []);
  });

  it('declares only what the server has', async () => {
    const server = fakeServer('files', { tools: [tool('read')] });
    const info = server.lastInfo.value!;
    server.lastInfo.value = { ...info, capabilities: { tools: {} } };
    const client = await connect(new FakeHub(server), 'files');
    assert.deepEqual(client.getServerCapabilities(), { tools: { listChanged: true }, logging: {} });
  });

  it('passes no hint on that would make the editor less careful, unless the server is trusted', async () => {
    const annotations = {
      title: 'Reads',
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    };
    const trusted = signal(false);
    const hub = new FakeHub(
      fakeServer('a', { tools: [tool('t', { annotations }), tool('u', { annotations: { destructiveHint: true } })] }),
    );
    harness = await GatewayHarness.open(hub.asHub(), { trusted: () => trusted.value });
    let changed = () => {};
    const told = new Promise<void>((resolve) => (changed = resolve));
    const client = await harness.client('a', 'legacy', (it) =>
      it.setNotificationHandler('notifications/tools/list_changed', () => changed()),
    );
    assert.deepEqual(
      (await client.listTools()).tools.map((it) => it.annotations),
      [{ title: 'Reads' }, { destructiveHint: true }],
    );
    trusted.value = true;
    await told;
    assert.deepEqual((await client.listTools()).tools[0]?.annotations, annotations);
  });

  it('faults 4 to 8: odd schemas reach the chat as model APIs take them, next to ordinary tools', async () => {
    const hub = new FakeHub(
      fakeServer('a', {
        tools: [
          tool('boolean', { inputSchema: { type: 'object', properties: { payload: true } } as never }),
          tool('bare', { inputSchema: { type: 'object' } }),
          tool('refs', {
            inputSchema: {
              type: 'object',
              properties: { q: { $ref: '#/$defs/Q' } },
              $defs: { Q: { type: 'object', properties: { limit: { type: 'integer' } } } },
            },
          }),
          tool('union', { inputSchema: { type: 'object', oneOf: [{ required: ['a'] }, { required: ['b'] }] } }),
          tool('remote', { inputSchema: { type: 'object', properties: { c: { $ref: 'http://127.0.0.1:9/s.json' } } } }),
          tool('output', { outputSchema: { type: 'object', properties: { n: { $ref: '#/$defs/Missing' } } } }),
          tool('calendar.get'),
          tool('données'),
        ],
      }),
    );
    const { tools } = await (await connect(hub, 'a')).listTools();
    const byName = new Map(tools.map((it) => [it.name, it]));
    assert.equal(byName.has('remote'), false);
    assert.equal(tools.length, 7);
    assert.deepEqual(byName.get('bare')?.inputSchema, { type: 'object', properties: {} });
    assert.equal(JSON.stringify(byName.get('refs')).includes('$ref'), false);
    assert.equal('oneOf' in (byName.get('union')?.inputSchema ?? {}), false);
    assert.equal(byName.get('output')?.outputSchema, undefined);
    for (const { name } of tools) {
      assert.match(name.replace(/[./]/g, '_'), /^[A-Za-z0-9_-]{1,46}$/);
    }
  });

  it('fault 2: two entries of one command are two endpoints with their own names', async () => {
    const offers = { tools: [tool('search')] };
    const hub = new FakeHub(fakeServer('w1', offers), fakeServer('w2', offers));
    const first = await connect(hub, 'w1');
    const second = await connect(hub, 'w2');
    assert.deepEqual([first.getServerVersion()?.name, second.getServerVersion()?.name], ['w1', 'w2']);
    await first.callTool({ name: 'search', arguments: {} });
    await second.callTool({ name: 'search', arguments: {} });
    assert.deepEqual(
      hub.calls.map(({ ref }) => ref),
      [
        { server: 'w1', name: 'search' },
        { server: 'w2', name: 'search' },
      ],
    );
  });

  it('reaches servers by keys with odd characters', async () => {
    for (const key of ['a b', 'a/b', 'a%41b', '../x', 'ünï 漢', 'a#b?c=d', '~x', 'a\\b', 'jira@folder']) {
      const client = await connect(new FakeHub(fakeServer(key, { tools: [tool('t')] })), key);
      assert.equal(client.getServerVersion()?.name, key);
      harness?.dispose();
      harness = undefined;
    }
  });

  it('starts a server that was never seen, once, and answers after a second at most', async () => {
    const server = fakeServer('new');
    const hub = new FakeHub(server);
    let finish = () => {};
    hub.onStart = () => new Promise((resolve) => (finish = resolve));
    let changed = () => {};
    const told = new Promise<void>((resolve) => (changed = resolve));
    const client = await connect(hub, 'new', (it) =>
      it.setNotificationHandler('notifications/tools/list_changed', () => changed()),
    );
    assert.deepEqual(hub.started, []);
    const before = Date.now();
    const [tools, prompts] = await Promise.all([client.listTools(), client.listPrompts()]);
    const waited = Date.now() - before;
    assert.deepEqual([tools.tools, prompts.prompts, hub.started], [[], [], ['new']]);
    assert.ok(waited >= 900 && waited < 2_000, `${waited} ms`);
    // The editor asks for one list after the other; the second is for all of them.
    const later = Date.now();
    await client.listPrompts();
    assert.ok(Date.now() - later < 500, `${Date.now() - later} ms more`);
    server.lists.value = listsOf({ tools: [tool('t')] }, 'server');
    finish();
    await told;
    assert.deepEqual(
      (await client.listTools()).tools.map(({ name }) => name),
      ['t'],
    );
    assert.deepEqual(hub.started, ['new']);
  });

  it('does not wait once the first start has failed, and does not repeat it', async () => {
    const hub = new FakeHub(fakeServer('new'));
    hub.onStart = async () => Promise.reject(new Error('no such command'));
    const client = await connect(hub, 'new');
    const before = Date.now();
    assert.deepEqual((await client.listTools()).tools, []);
    assert.deepEqual((await client.listTools()).tools, []);
    assert.ok(Date.now() - before < 900);
    assert.deepEqual(hub.started, ['new']);
  });

  it('fault 40: tells of a burst of changes once, and of no change never', async () => {
    const server = fakeServer('a', { tools: [tool('t0')], prompts: [{ name: 'p' }] });
    let told = 0;
    let arrived = () => {};
    const client = await connect(new FakeHub(server), 'a', (it) => {
      it.setNotificationHandler('notifications/tools/list_changed', () => {
        told += 1;
        arrived();
      });
      it.setNotificationHandler('notifications/prompts/list_changed', () => assert.fail('prompts are the same'));
    });
    const change = async (names: string[]): Promise<void> => {
      const next = new Promise<void>((resolve) => (arrived = resolve));
      for (const name of names) {
        server.lists.value = listsOf({ tools: [tool(name)], prompts: [{ name: 'p' }] }, 'server');
      }
      await next;
    };
    server.lists.value = listsOf({ tools: [tool('t0')], prompts: [{ name: 'p' }] }, 'server');
    await change(Array.from({ length: 200 }, (_, index) => `t${index}`));
    await change(['last']);
    assert.equal(told, 2);
    assert.deepEqual(
      (await client.listTools()).tools.map(({ name }) => name),
      ['last'],
    );
  });
});
