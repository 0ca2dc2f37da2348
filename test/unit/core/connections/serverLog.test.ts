import assert from 'node:assert/strict';
import { signal } from '@preact/signals-core';
import { ServerLog } from '../../../../src/core/connections/serverLog';
import { FakeClock } from './fakeClock';
import { connectionTo, fixture, stopAll, type TestConnection } from './testConnection';
import { eventually, WireTrace } from './until';

type Line = readonly [string, string];

function linesOf(run: (log: ServerLog) => void, clock = new FakeClock()): Line[] {
  const lines: Line[] = [];
  const to =
    (level: string) =>
    (text: string): void =>
      void lines.push([level, text]);
  const log = new ServerLog(
    { trace: to('trace'), debug: to('debug'), info: to('info'), warn: to('warn'), error: to('error') },
    clock,
  );
  run(log);
  return lines;
}

describe('ServerLog', () => {
  it('writes each level of the spec at the one it comes closest to, named where that is not exact', () => {
    const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];
    assert.deepEqual(
      linesOf((log) => levels.forEach((level) => log.write({ level, logger: 'db', data: 'x' }))),
      [
        ['debug', 'db: x'],
        ['info', 'db: x'],
        ['info', 'db (notice): x'],
        ['warn', 'db: x'],
        ['error', 'db: x'],
        ['error', 'db (critical): x'],
        ['error', 'db (alert): x'],
        ['error', 'db (emergency): x'],
      ],
    );
  });

  it('takes whatever a server sends, and lets no line look like one of somebody else', () => {
    assert.deepEqual(
      linesOf((log) => {
        log.write({});
        log.write({ level: 'loud', logger: 7, data: { a: [1] } });
        log.write({ level: 'constructor', data: null });
        log.write({ level: 'info', logger: 'a\n[error] b', data: 'one\r\n2026-01-01 [error] two\u001b[31m\u202e' });
        log.write({ level: 'info', data: 'y'.repeat(5_000) });
      }),
      [
        ['info', 'server: '],
        ['info', 'server: {"a":[1]}'],
        ['info', 'server: null'],
        ['info', 'a [error] b: one\n    2026-01-01 [error] two '],
        ['info', `server: ${'y'.repeat(4_000)}…`],
      ],
    );
  });

  it('cuts a flood, says how much was left out, and goes on in the next second', async () => {
    const clock = new FakeClock();
    const flood = (log: ServerLog): void => {
      for (let count = 0; count < 10_000; count += 1) {
        log.write({ level: 'error', data: `${count}` });
      }
    };
    let held: ServerLog | undefined;
    const lines = linesOf((log) => {
      flood(log);
      held = log;
    }, clock);
    assert.equal(lines.length, 200);
    await clock.pass(1_000);
    const left = ['warn', '9800 more messages of the server were left out; it sent them within a second.'];
    assert.deepEqual(lines.at(-1), left);
    held?.write({ data: 'again' });
    assert.deepEqual(lines.at(-1), ['info', 'server: again']);
    await clock.pass(1_000);
    assert.equal(lines.length, 202);
  });
});

describe('the level of what servers log', () => {
  let wire: WireTrace;
  const level = signal<'debug' | 'warning'>('warning');
  beforeEach(() => {
    wire = new WireTrace();
    level.value = 'warning';
  });
  afterEach(async () => {
    await stopAll();
    wire.dispose();
  });

  const scripted = (script: object): TestConnection => {
    const launch = fixture('scripted.mjs', JSON.stringify(script));
    assert.equal(launch.type, 'stdio');
    return connectionTo({ ...launch, env: wire.env }, { dependencies: { logLevel: level } });
  };
  const session = (capabilities: object): object => ({
    initialize: [{ protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 'f', version: '1' } }],
    'logging/setLevel': [{}],
    'tools/call': [{ content: [] }],
  });
  const told = (): unknown[] =>
    wire.entries.filter(({ method }) => method === 'logging/setLevel').map(({ params }) => params?.['level']);

  it('is told after the handshake, when it changes, and again after a restart', async () => {
    const { connection } = scripted(session({ logging: {} }));
    await connection.start({ interactive: false });
    await eventually(() => told().length === 1);
    assert.equal(wire.methods.indexOf('logging/setLevel') > wire.methods.indexOf('notifications/initialized'), true);
    level.value = 'debug';
    await eventually(() => told().length === 2);
    await connection.stop();
    level.value = 'warning';
    await connection.start({ interactive: false });
    await eventually(() => told().length === 3);
    assert.deepEqual(told(), ['warning', 'debug', 'warning']);
  });

  it('is no matter of a server that logs nothing, and a refusal harms nobody', async () => {
    const silent = scripted(session({}));
    await silent.connection.callTool('run', {}).catch(() => undefined);
    assert.deepEqual(told(), []);
    const { 'logging/setLevel': _, ...refusing } = session({ logging: {}, tools: {} }) as Record<string, unknown>;
    const { connection, log } = scripted(refusing);
    await connection.callTool('run', {});
    await eventually(() => log.lines.some((line) => line.startsWith('logging/setLevel: ')));
    assert.equal(connection.state.value.kind, 'ready');
  });

  it('goes with each request in the stateless era, and what is said comes into the log', async () => {
    const message = { method: 'notifications/message', params: { level: 'error', logger: 'db', data: { why: 'x' } } };
    const { connection, log } = scripted({
      notify: [message],
      'tools/call': [{ resultType: 'complete', content: [] }],
    });
    await connection.callTool('run', {}, { meta: { 'io.modelcontextprotocol/logLevel': 'alert', mine: 1 } });
    level.value = 'debug';
    await connection.callTool('run', {});
    const metas = wire.entries
      .filter(({ method }) => method === 'tools/call')
      .map(({ params }) => params?.['_meta'] as Record<string, unknown>);
    assert.deepEqual(
      metas.map((meta) => meta['io.modelcontextprotocol/logLevel']),
      ['warning', 'debug'],
    );
    assert.equal(metas[0]?.['mine'], 1);
    assert.equal(metas[0]?.['io.modelcontextprotocol/protocolVersion'], '2026-07-28');
    await eventually(() => log.lines.includes('db: {"why":"x"}'));
  });
});
