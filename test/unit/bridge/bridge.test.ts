import assert from 'node:assert/strict';
import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { eventually } from '../core/connections/until';
import { initialize, rpc } from '../server/gatewayHarness';
import { BridgeProgram } from './bridgeProcess';

describe('bridge', function () {
  this.timeout(60_000);
  let program: BridgeProgram;

  beforeEach(async () => {
    program = await BridgeProgram.build();
  });

  afterEach(() => program.dispose());

  const who = async (client: Client, args = {}): Promise<string> => {
    const { content } = await client.callTool({ name: 'who', arguments: args });
    const [block] = content;
    return block?.type === 'text' ? block.text : '';
  };

  for (const era of ['session', 'stateless'] as const) {
    it(`passes on calls, progress, cancellation and changes (${era})`, async () => {
      const window = await program.open('one');
      const told: string[] = [];
      const client = await program.client(era, [], (it) => {
        it.setNotificationHandler('notifications/tools/list_changed', () => void told.push('tools'));
        it.setNotificationHandler('notifications/resources/updated', ({ params }) => void told.push(params.uri));
      });
      assert.match(client.getInstructions() ?? '', /^Connected to Code with .*: it has .* open/);
      assert.equal(await who(client, { text: 'a\u2028b' }), 'one {"text":"a\u2028b"}');
      assert.deepEqual(
        (await client.listTools()).tools.map(({ name }) => name),
        ['who'],
      );
      let aborted = false;
      window.offers.onCall = (_client, _args, signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            aborted = true;
            resolve('');
          });
        });
      const leave = new AbortController();
      const call = client.callTool({ name: 'who', arguments: {} }, { signal: leave.signal });
      setTimeout(() => leave.abort(), 200);
      await assert.rejects(call);
      await eventually(() => aborted);
      if (era === 'session') {
        await client.subscribeResource({ uri: 'test://a' });
      } else {
        await client.listen({ toolsListChanged: true, resourceSubscriptions: ['test://a'] });
      }
      window.endpoint.notices.toolsChanged();
      window.offers.change('test://a', '2');
      await eventually(() => told.length === 2);
      assert.deepEqual(told, ['tools', 'test://a']);
    });

    it(`goes on over a reload of its window: opens, listens and subscribes again (${era})`, async () => {
      const first = await program.open('one');
      const told: string[] = [];
      const client = await program.client(era, [], (it) => {
        it.setNotificationHandler('notifications/tools/list_changed', () => void told.push('tools'));
        it.setNotificationHandler('notifications/resources/updated', ({ params }) => void told.push(params.uri));
      });
      if (era === 'session') {
        await client.subscribeResource({ uri: 'test://a' });
      } else {
        await client.listen({ toolsListChanged: true, resourceSubscriptions: ['test://a'] });
      }
      first.close();
      const next = program.open('two');
      assert.equal(await who(client), 'two {}');
      const second = await next;
      await eventually(() => told.includes('tools') && told.includes('test://a'));
      await eventually(() => second.offers.watching.length === 1);
      const before = told.length;
      second.offers.change('test://a', 'new');
      await eventually(() => told.length > before);
      assert.equal(told.at(-1), 'test://a');
    });

    it(`answers without a window, says how to get one, and tells when one is there (${era})`, async () => {
      let changed = 0;
      const client = await program.client(era, [], (it) =>
        it.setNotificationHandler('notifications/tools/list_changed', () => void (changed += 1)),
      );
      assert.match(client.getInstructions() ?? '', /No editor window with Portico is open\. Open the folder/);
      const tools = (await client.listTools()).tools.map(({ name }) => name);
      assert.deepEqual(
        ['get_diagnostics', 'read_file', 'search_text', 'apply_edit'].map((name) => tools.includes(name)),
        [true, true, true, false],
      );
      assert.ok((await client.listPrompts()).prompts.some(({ name }) => name === 'fix_problems'));
      assert.ok((await client.listResourceTemplates()).resourceTemplates.length > 4);
      assert.deepEqual((await client.listResources()).resources, []);
      const { content, isError } = await client.callTool({ name: 'who', arguments: {} });
      assert.equal(isError, true);
      assert.match(JSON.stringify(content), /“Portico: Connect an Agent…”/);
      if (era === 'stateless') {
        await client.listen({ toolsListChanged: true });
      }
      await program.open('late');
      await eventually(() => changed > 0);
      assert.equal(await who(client), 'late {}');
      assert.equal((await client.listTools()).tools.length, 1);
    });

    it(`knows the tools of the window that was there last (${era})`, async () => {
      const window = await program.open('one');
      await (await program.client(era)).listTools();
      window.close();
      const client = await program.client(era);
      assert.deepEqual(
        (await client.listTools()).tools.map(({ name }) => name),
        ['who'],
      );
      assert.equal(client.getServerVersion()?.name, 'fake');
    });
  }

  it('passes on what the window asks the agent', async () => {
    const window = await program.open('one');
    window.offers.onServer = (server) => {
      window.offers.onCall = async () => {
        const { roots } = await server.listRoots();
        return roots.map(({ uri }) => uri).join();
      };
    };
    const client = await program.client('session', [], (it) => {
      it.registerCapabilities({ roots: {} });
      it.setRequestHandler('roots/list', async () => ({ roots: [{ uri: 'file:///agent' }] }));
    });
    assert.equal(await who(client), 'file:///agent');
  });

  it('goes by the folder asked for, the terminal, the agent’s directory, in this order', async () => {
    const inner = join(realpathSync(program.folder), 'inner');
    mkdirSync(inner);
    await program.open('outer');
    await program.open('inner', inner, { id: 'the-inner' });
    assert.equal(await who(await program.client('session')), 'outer {}');
    assert.equal(
      await who(await program.client('session', [], undefined, { PORTICO_WINDOW: 'the-inner' })),
      'inner {}',
    );
    assert.equal(await who(await program.client('session', ['--workspace', inner])), 'inner {}');
    const gone = await program.client('session', ['--window', 'gone', '--gateway']);
    assert.match(await who(gone), /No window fits “gone”\. Open are: .*the-inner/);
  });

  it('fault 66: gives every request an answer of its own, whatever it is', async () => {
    await program.open('one');
    const agent = program.start();
    agent.send('{"broken');
    agent.send('17');
    agent.send(rpc('server/discover', {}, 'bare'));
    agent.send(initialize('2099-01-01', 0));
    agent.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    agent.send(rpc('unknown/method', {}, 'u'));
    agent.send(rpc('tools/call', { nope: 1 }, -1));
    for (let id = 100; id < 150; id += 1) {
      agent.send(rpc('tools/call', { name: 'who', arguments: { id } }, id));
    }
    const opened = (await agent.answer(0)) as unknown as { result: { protocolVersion: string } };
    assert.equal(opened.result.protocolVersion, '2025-11-25');
    const code = async (id: string | number | null): Promise<unknown> =>
      ((await agent.answer(id)) as unknown as { error: { code: number } }).error.code;
    assert.deepEqual(
      [await code(null), await code('bare'), await code('u'), await code(-1)],
      [-32_700, -32_601, -32_601, -32_602],
    );
    for (let id = 100; id < 150; id += 1) {
      assert.match(JSON.stringify(await agent.answer(id)), new RegExp(`\\\\"id\\\\":${id}\\}`));
    }
    assert.equal(await agent.end(), 0);
    assert.equal(agent.lines.length, 2 + 4 + 50);
    assert.match(agent.said.join(''), /^portico: Connected to Code with /);
  });

  it('says which window does not serve it, once', async () => {
    await program.open('one', undefined, { token: 'another' });
    const agent = program.start(['--gateway']);
    agent.send(initialize('2025-11-25'));
    agent.send(rpc('tools/call', { name: 'who' }, 2));
    assert.match(JSON.stringify(await agent.answer(2)), /does not serve this to agents \(HTTP status 401\)/);
    assert.equal(await agent.end(), 0);
    assert.equal(agent.said.join('').match(/does not serve/g)?.length, 1);
  });

  it('says once on stderr which window it looks for and which there are, and when it is there', async () => {
    for (const args of [['--window', 'wanted'], []]) {
      const agent = program.start(args);
      agent.send(initialize('2025-11-25'));
      agent.send(rpc('tools/call', { name: 'who', arguments: {} }, 2));
      await agent.answer(2);
      const said = agent.said.join('');
      if (args.length === 0) {
        assert.equal(said, 'portico: No editor window with Portico is open.\n');
      } else {
        assert.equal(said, 'portico: No window fits “wanted”. No editor window with Portico is open.\n');
        const other = await program.open('other', undefined, { id: 'other' });
        agent.send(rpc('tools/call', { name: 'who', arguments: {} }, 3));
        const seen = 'No window fits “wanted”. Open are: Code with .* at .* \\(other\\)\\.';
        assert.match(JSON.stringify(await agent.answer(3)), new RegExp(seen));
        const late = program.start(args);
        late.send(initialize('2025-11-25'));
        await late.answer(1);
        await late.end();
        assert.match(late.said.join(''), new RegExp(`^portico: ${seen}\n$`));
        other.close();
      }
      const window = await program.open('one', undefined, { id: 'wanted' });
      await eventually(() => agent.said.join('').includes('Connected to Code with'));
      assert.equal(await agent.end(), 0);
      assert.equal(agent.said.join('').trimEnd().split('\n').length, 2);
      window.close();
    }
  });

  it('ends its session and itself with its input', async () => {
    const window = await program.open('one');
    const agent = program.start();
    agent.send(initialize('2025-11-25'));
    await agent.answer(1);
    assert.equal(window.endpoint.sessionCount, 1);
    assert.equal(await agent.end(), 0);
    await eventually(() => window.endpoint.sessionCount === 0);
  });
});
