import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { systemClock } from '../../../../src/base/clock';
import { DisposableStore } from '../../../../src/base/disposable';
import { NullLogger } from '../../../../src/base/log';
import type { ApprovalRequest } from '../../../../src/core/policy/policyTypes';
import { ClientTokens, newToken } from '../../../../src/server/clientTokens';
import { signal } from '@preact/signals-core';
import { ReadLedger } from '../../../../src/server/readLedger';
import { Aggregate } from '../../../../src/server/gateway/aggregate/aggregate';
import type { AgentClient } from '../../../../src/server/serverTypes';
import { layer, openTestHub, type TestHub } from '../../../harness/testHub';
import { createTestListener } from '../localListener';
import { socketFetch } from '../socketFetch';

const packages = resolve('node_modules/@modelcontextprotocol');
const node = (...args: string[]): object => ({ command: process.execPath, args });
const everything = node(join(packages, 'server-everything/dist/index.js'), 'stdio');
const claude: AgentClient = { id: 'claude-code', label: 'Claude Code' };
const codex: AgentClient = { id: 'codex', label: 'Codex' };

describe('the gateway for agents', function () {
  this.timeout(60_000);
  const store = new DisposableStore();
  const asked: ApprovalRequest[] = [];
  const ledger = new ReadLedger();
  const codexServers = signal(['files']);
  let folder: string;
  let opened: TestHub;
  let connect: (client: AgentClient, mode?: 'legacy' | 'modern', prepare?: (client: Client) => void) => Promise<Client>;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ptest-'));
    opened = await openTestHub(
      { everything, files: node(join(packages, 'server-filesystem/dist/index.js'), folder), 'a/b': everything },
      {
        approvalUi: {
          ask: async (request) => {
            asked.push(request);
            return { kind: 'allow', duration: 'once', scope: 'tool' };
          },
        },
      },
    );
    const clients = store.add(new ClientTokens());
    const { listener } = store.add(createTestListener({}, clients));
    const aggregate = store.add(
      new Aggregate({
        hub: opened.hub,
        log: new NullLogger(),
        clock: systemClock,
        ledger,
        version: '1.2.3',
        isShared: ({ definition }) => definition.key !== 'private',
        mayUse: ({ id }, { definition }) => id === claude.id || codexServers.value.includes(definition.key),
        isTrusted: () => false,
      }),
    );
    listener.addRoute(aggregate.route);
    const address = await listener.start();
    connect = async (agent, mode = 'legacy', prepare = () => {}) => {
      const token = newToken();
      clients.add(agent, token);
      const client = new Client(
        { name: agent.id, version: '1' },
        mode === 'modern' ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {},
      );
      prepare(client);
      await client.connect(
        new StreamableHTTPClientTransport(new URL('http://localhost/gateway'), {
          fetch: socketFetch(address),
          requestInit: { headers: { authorization: `Bearer ${token}` } },
        }),
      );
      store.defer(() => void client.close());
      return client;
    };
    await Promise.all(opened.hub.servers.peek().map(({ id }) => opened.hub.start(id, { interactive: false })));
  });

  after(async () => {
    store.dispose();
    await opened.close();
    rmSync(folder, { recursive: true, force: true });
  });

  for (const mode of ['legacy', 'modern'] as const) {
    it(`lists all servers under names that are theirs, to a client of the ${mode} era`, async () => {
      const client = await connect(claude, mode);
      assert.deepEqual(
        [client.getServerVersion()?.name, client.getServerVersion()?.version],
        ['portico-gateway', '1.2.3'],
      );
      const names = (await client.listTools()).tools.map(({ name }) => name);
      assert.deepEqual(
        ['everything_echo', 'files_read_text_file'].filter((name) => !names.includes(name)),
        [],
      );
      assert.ok(names.every((name) => /^[A-Za-z0-9_-]{1,48}$/.test(name)));
      assert.equal(new Set(names).size, names.length);
      const prompts = (await client.listPrompts()).prompts.map(({ name }) => name);
      assert.deepEqual(
        prompts.filter((name) => name.endsWith('simple-prompt')),
        ['everything_simple-prompt', 'a/b_simple-prompt'],
      );
      const { resources } = await client.listResources();
      assert.ok(resources.some(({ uri }) => uri.startsWith('portico://a%2Fb/demo%3A%2F%2F')));
      const [resource] = resources.filter(({ uri }) => uri.startsWith('portico://everything/'));
      assert.ok(resource);
      const { contents } = await client.readResource({ uri: resource.uri });
      assert.equal(contents[0]?.uri, resource.uri);
      assert.ok(contents[0] && 'text' in contents[0] && contents[0].text.length > 0);
      const { resourceTemplates } = await client.listResourceTemplates();
      const template = resourceTemplates.find(({ uriTemplate }) => uriTemplate.includes('dynamic/text'));
      assert.equal(template?.uriTemplate, 'portico://everything/=demo://resource/dynamic/text/{resourceId}');
      const expanded = await client.readResource({ uri: template.uriTemplate.replace('{resourceId}', '1') });
      assert.equal(expanded.contents[0]?.uri, 'portico://everything/demo%3A%2F%2Fresource%2Fdynamic%2Ftext%2F1');
      const prompt = await client.getPrompt({ name: 'everything_args-prompt', arguments: { city: 'Oslo' } });
      assert.match(JSON.stringify(prompt.messages), /Oslo/);
      const { completion } = await client.complete({
        ref: { type: 'ref/prompt', name: 'everything_completable-prompt' },
        argument: { name: 'department', value: 'E' },
      });
      assert.deepEqual(completion.values, ['Engineering']);
    });
  }

  it('calls for the agent by name, once the person has approved', async () => {
    const client = await connect(claude);
    asked.length = 0;
    const result = await client.callTool({ name: 'everything_echo', arguments: { message: 'hi' } });
    assert.deepEqual(result.content, [{ type: 'text', text: 'Echo: hi' }]);
    assert.deepEqual(
      asked.map(({ caller, tool }) => [caller.kind, caller.label, tool.exposedName]),
      [['agent', 'Claude Code', 'everything_echo']],
    );
    const [record] = opened.hub.callLog.records.peek();
    assert.deepEqual(record?.caller, { kind: 'agent', label: 'Claude Code' });
  });

  it('names what a result links to by its address here', async () => {
    const client = await connect(claude);
    const result = await client.callTool({ name: 'everything_get-resource-links', arguments: { count: 1 } });
    const links = result.content.flatMap((part) => (part.type === 'resource_link' ? [part.uri] : []));
    assert.equal(links.length, 1);
    assert.match(links[0] ?? '', /^portico:\/\/everything\/demo%3A/);
    const [uri = ''] = links;
    assert.equal((await client.readResource({ uri })).contents[0]?.uri, uri);
  });

  it('takes down what each agent read and which prompts it fetched, and what came of it', async () => {
    const client = await connect(claude);
    const uri = 'portico://everything/demo%3A%2F%2Fresource%2Fdynamic%2Ftext%2F1';
    await client.readResource({ uri });
    await client.getPrompt({ name: 'everything_args-prompt', arguments: { city: 'Oslo' } });
    await assert.rejects(client.readResource({ uri: 'portico://everything/nowhere%3A%2F%2Fx' }));
    const entries = ledger.entries.value.slice(0, 3);
    assert.deepEqual(
      entries.map(({ client: who, program, kind, what, part, outcome }) => [who, program, kind, what, part, outcome]),
      [
        ['Claude Code', 'claude-code', 'resource', 'portico://everything/nowhere%3A%2F%2Fx', undefined, 'failed'],
        ['Claude Code', 'claude-code', 'prompt', 'everything_args-prompt', 'Oslo', 'given'],
        ['Claude Code', 'claude-code', 'resource', uri, undefined, 'given'],
      ],
    );
    assert.ok((entries[2]?.bytes ?? 0) > 50);
  });

  it('tells an agent that is there when it may use other servers', async () => {
    let told = 0;
    const client = await connect(codex, 'legacy', (early) =>
      early.setNotificationHandler('notifications/tools/list_changed', () => void (told += 1)),
    );
    const servers = async () => new Set((await client.listTools()).tools.map(({ name }) => name.split('_')[0]));
    assert.deepEqual([...(await servers())], ['files']);
    codexServers.value = ['files', 'everything'];
    while (told === 0) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    assert.deepEqual([...(await servers())].sort(), ['everything', 'files']);
    codexServers.value = ['files'];
  });

  it('shows an agent the servers that it may use, and no others', async () => {
    const client = await connect(codex);
    const names = (await client.listTools()).tools.map(({ name }) => name);
    assert.deepEqual(
      names.filter((name) => !name.startsWith('files_')),
      [],
    );
    assert.ok(names.length > 0);
    await assert.rejects(client.callTool({ name: 'everything_echo', arguments: { message: 'x' } }), /no tool/);
    await assert.rejects(client.readResource({ uri: 'portico://everything/demo%3A%2F%2Fx' }), /no resource/);
    await assert.rejects(client.getPrompt({ name: 'everything_simple-prompt' }), /no prompt/);
  });

  it('tells of servers that come and go', async () => {
    let told = (): void => {};
    const client = await connect(claude, 'legacy', (it) =>
      it.setNotificationHandler('notifications/tools/list_changed', () => told()),
    );
    await client.listTools();
    const changed = new Promise<void>((done) => (told = done));
    opened.settings.value = [layer({ everything, private: everything })];
    await changed;
    const names = (await client.listTools()).tools.map(({ name }) => name);
    assert.deepEqual(
      names.filter((name) => !name.startsWith('everything_')),
      [],
    );
    assert.ok(names.includes('everything_echo'));
  });
});
