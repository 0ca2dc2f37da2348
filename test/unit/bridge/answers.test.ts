import assert from 'node:assert/strict';
import { eventually } from '../core/connections/until';
import { initialize, rpc } from '../server/gatewayHarness';
import { BridgeProgram, type RawAgent } from './bridgeProcess';

interface Answer {
  readonly id?: unknown;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

describe('bridge: every message has its answer', function () {
  this.timeout(60_000);
  let program: BridgeProgram;

  before(async () => {
    program = await BridgeProgram.build();
  });

  afterEach(() => program.closeWindows());
  after(() => program.dispose());

  const read = (agent: RawAgent): Answer[] => agent.lines.map((line) => JSON.parse(line) as Answer);
  const brief = (answers: Answer | Answer[]): unknown =>
    Array.isArray(answers)
      ? answers.map((answer) => brief(answer)).sort()
      : `${JSON.stringify(answers.id)} ${answers.error?.code ?? 'ok'}`;

  const stateless = (method: string, params: Record<string, unknown>, id: unknown, version = '2026-07-28') => ({
    jsonrpc: '2.0',
    id,
    method,
    params: {
      ...params,
      _meta: {
        'io.modelcontextprotocol/protocolVersion': version,
        'io.modelcontextprotocol/clientCapabilities': {},
        'io.modelcontextprotocol/clientInfo': { name: 'agent', version: '1' },
      },
    },
  });

  const wrong = [
    ...[null, { a: 1 }, [1], true].map((id) => [rpc('ping', {}, id as never), 'null -32600']),
    [rpc('ping', {}, 1.5), '1.5 -32600'],
    ['[]', 'null -32600'],
    ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', 'null -32600'],
    ['17', 'null -32600'],
    ['null', 'null -32600'],
    ['{"broken', 'null -32700'],
    [{}, 'null -32600'],
    [{ jsonrpc: '2.0', id: 'y' }, '"y" -32600'],
    [{ id: 'v', method: 'ping' }, '"v" -32600'],
    [{ jsonrpc: '1.0', id: 'v1', method: 'ping' }, '"v1" -32600'],
    [{ jsonrpc: '2.0', id: 'x', method: 5 }, '"x" -32600'],
    [{ jsonrpc: '2.0', id: 'p', method: 'initialize', params: null }, '"p" -32600'],
    [{ jsonrpc: '2.0', id: 'q', method: 'ping', params: [1] }, '"q" -32600'],
    [{ jsonrpc: '2.0', id: 'm', method: 'initialize', params: { _meta: 'x' } }, '"m" -32600'],
    [rpc('nope/x', {}, 'u'), '"u" -32601'],
    [rpc('constructor', {}, 'c'), '"c" -32601'],
    [rpc('ping', {}, 'end'), '"end" ok'],
  ] as const;

  for (const isLive of [true, false]) {
    it(`also what is no valid request, ${isLive ? 'with' : 'without'} a window`, async () => {
      if (isLive) {
        await program.open('one');
      }
      const agent = program.start();
      agent.send(initialize('2025-11-25', 0));
      await agent.answer(0);
      agent.send({ jsonrpc: '2.0', method: 'initialize', params: {} });
      agent.send({ jsonrpc: '2.0', id: null, error: { code: 1, message: 'an answer is not answered' } });
      wrong.forEach(([message]) => agent.send(message));
      assert.equal(await agent.end(), 0);
      assert.deepEqual(brief(read(agent)), ['0 ok', ...wrong.map(([, expected]) => expected)].sort());
    });

    it(`batches where the revision has them, ${isLive ? 'with' : 'without'} a window`, async () => {
      if (isLive) {
        await program.open('one');
      }
      for (const version of ['2024-11-05', '2025-03-26']) {
        const agent = program.start();
        agent.send(initialize(version, 0));
        agent.send([]);
        agent.send([1, { jsonrpc: '2.0', method: 'notifications/initialized' }]);
        agent.send([{ jsonrpc: '2.0', method: 'notifications/roots/list_changed' }]);
        agent.send([rpc('ping', {}, 'a'), [], rpc('nope', {}, 'b'), initialize(version, 'c'), rpc('ping', {}, 'd')]);
        assert.equal(await agent.end(), 0);
        assert.deepEqual(read(agent).map(brief).map(String).sort(), [
          '"a" ok,"b" -32601,"c" -32600,"d" ok,null -32600',
          '0 ok',
          'null -32600',
          'null -32600',
        ]);
        assert.equal(agent.lines.filter((line) => line.startsWith('[')).length, 2);
      }
    });
  }

  it('an opening that the window does not take is answered so, and what comes after it is served', async () => {
    await program.open('one');
    for (const opening of [initialize('2025-11-25', 0), undefined]) {
      const agent = program.start();
      if (opening) {
        agent.send(opening);
      }
      const meta = { _meta: { progressToken: null } };
      agent.send({ jsonrpc: '2.0', id: 'bad', method: 'initialize', params: meta });
      agent.send({ jsonrpc: '2.0', id: 'worse', method: 'initialize', params: { protocolVersion: 7 } });
      agent.send(rpc('tools/call', { name: 'who', arguments: {} }, 'call'));
      assert.match(JSON.stringify(await agent.answer('call')), /one \{\}/);
      agent.send(initialize('2025-11-25', 'good'));
      agent.send(rpc('tools/call', { name: 'who', arguments: {} }, 'again'));
      assert.equal(await agent.end(), 0);
      const answers = read(agent);
      for (const id of ['bad', 'worse']) {
        assert.ok(answers.find((answer) => answer.id === id)?.error, `${id}: ${agent.lines.join('\n')}`);
      }
      for (const id of ['good', 'again']) {
        assert.ok(answers.find((answer) => answer.id === id)?.result);
      }
      assert.doesNotMatch(agent.said.join(''), /does not serve/);
    }
  });

  it('an opening that was taken without a window is no obstacle to the one that comes', async () => {
    const agent = program.start();
    agent.send({ jsonrpc: '2.0', id: 'odd', method: 'initialize', params: { protocolVersion: 7 } });
    assert.ok('result' in (await agent.answer('odd')));
    await program.open('one');
    agent.send(rpc('tools/call', { name: 'who', arguments: {} }, 1));
    assert.match(JSON.stringify(await agent.answer(1)), /one \{\}/);
    assert.equal(await agent.end(), 0);
  });

  it('and it comes although the input has ended, after a last line without an end too', async () => {
    for (const isLive of [true, false]) {
      if (isLive) {
        const window = await program.open('one');
        window.offers.onCall = () => new Promise((resolve) => setTimeout(() => resolve('late'), 300));
      }
      const agent = program.start();
      agent.send(initialize('2025-11-25', 1));
      agent.send(rpc('tools/list', {}, 2));
      agent.send(stateless('tools/list', {}, 3));
      await agent.write(JSON.stringify(rpc('tools/call', { name: 'who', arguments: {} }, 4)));
      assert.equal(await agent.end(), 0);
      assert.deepEqual(brief(read(agent)), ['1 ok', '2 ok', '3 ok', '4 ok']);
      assert.equal(/late/.test(agent.lines.join('')), isLive);
      program.closeWindows();
    }
  });

  it('without a window it is what a window would answer: methods, logging, revisions', async () => {
    const agent = program.start();
    agent.send(stateless('ping', {}, 'p'));
    agent.send(stateless('initialize', {}, 'i'));
    agent.send(stateless('tools/list', {}, 'v', '2020-01-01'));
    agent.send(stateless('server/discover', {}, 'd', '2099-01-01'));
    agent.send(stateless('resources/read', { uri: 'x:y' }, 'r'));
    agent.send(initialize('2025-11-25', 0));
    agent.send(rpc('logging/setLevel', { level: 'info' }, 'l'));
    agent.send(rpc('prompts/get', { name: 'x' }, 'g'));
    assert.equal(await agent.end(), 0);
    const code = (id: string): unknown => read(agent).find((answer) => answer.id === id)?.error?.code;
    assert.deepEqual(
      ['p', 'i', 'v', 'd', 'r', 'l', 'g'].map(code),
      [-32_601, -32_601, -32_022, -32_022, -32_603, -32_601, -32_603],
    );
    assert.deepEqual(read(agent).find(({ id }) => id === 'v')?.error?.data, {
      supported: ['2026-07-28'],
      requested: '2020-01-01',
    });
  });

  it('also where a header cannot carry what it must repeat', async () => {
    await program.open('one');
    const agent = program.start();
    const long = 'n'.repeat(20_000);
    agent.send(stateless('tools/call', { name: long, arguments: {} }, 'name'));
    agent.send(stateless('resources/read', { uri: `file:///${long}` }, 'uri'));
    agent.send(stateless('tools/call', { name: 'ü'.repeat(3_000), arguments: {} }, 'wide'));
    agent.send(stateless(long, {}, 'method'));
    agent.send(stateless('tools/list', {}, 'version', long));
    agent.send(stateless('tools/call', { name: 'n'.repeat(4_000), arguments: {} }, 'fits'));
    assert.equal(await agent.end(), 0);
    for (const id of ['name', 'uri', 'wide', 'method', 'version']) {
      const { error } = read(agent).find((answer) => answer.id === id) ?? {};
      assert.equal(error?.code, -32_602);
      assert.match(error.message, /^What the header mcp-[a-z-]+ has to repeat is too long: \d+ of 4096 bytes\.$/);
    }
    assert.ok(read(agent).find((answer) => answer.id === 'fits')?.result);
  });

  it('says how it is used, and that a flag is none', async () => {
    for (const args of [['--nope'], ['--client'], ['more'], ['--editor=yes']]) {
      const agent = program.start(args);
      assert.equal(await agent.closed, 2);
      assert.match(agent.said.join(''), /^portico: .+\n\nUsage: node bridge\.js /);
      assert.doesNotMatch(agent.said.join(''), /\n {4}at /);
      assert.deepEqual(agent.lines, []);
    }
    const helped = program.start(['--help']);
    assert.equal(await helped.closed, 0);
    await eventually(() => helped.lines.length > 0);
    assert.match(helped.lines.join('\n'), /^Usage: node bridge\.js .*--editor[^]*--window ID/);
  });
});
