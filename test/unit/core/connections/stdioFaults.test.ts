import assert from 'node:assert/strict';
import { PorticoError } from '../../../../src/base/errors';
import type { CallToolResult } from '@modelcontextprotocol/client';
import { connectionTo, fixture, stopAll } from './testConnection';
import { eventually, until } from './until';

const start = { interactive: false } as const;

function textOf(result: CallToolResult): string {
  const [first] = result.content;
  return first?.type === 'text' ? first.text : '';
}

async function failure(promise: Promise<unknown>): Promise<PorticoError> {
  try {
    await promise;
  } catch (error) {
    assert.equal(PorticoError.is(error), true, String(error));
    return error as PorticoError;
  }
  throw new Error('It did not fail.');
}

describe('stdio servers with bad habits', () => {
  afterEach(stopAll);

  it('fault 16: text on stdout that is no message goes to the log once and disturbs nothing', async () => {
    const { connection, log } = connectionTo(fixture('strayStdout.mjs'));
    await connection.start(start);
    assert.equal(connection.state.value.kind, 'ready');
    for (const stray of ['Server v1 starting', '{"level":"info","msg":"x"}']) {
      assert.equal(log.lines.filter((line) => line.includes(stray)).length, 1);
    }
    for (const name of ['front', 'behind']) {
      assert.equal(textOf(await connection.callTool(name, {})), 'a { b } "c');
    }
    assert.equal(
      log.lines.some((line) => line.includes('12:00 {x} INFO')),
      true,
    );
  });

  it('fault 16: a message that cannot be recovered is named when its request runs out of time', async () => {
    const { connection } = connectionTo(fixture('strayStdout.mjs'));
    await connection.start(start);
    const error = await failure(connection.callTool('broken', {}, { timeoutMs: 300 }));
    assert.equal(error.code, 'TIMEOUT');
    assert.match(error.message, /12:00 INFO \{"jsonrpc":"2\.0","id":/);
  });

  it('fault 17: a byte order mark in front of a message is ignored', async () => {
    const { connection } = connectionTo(fixture('byteOrderMark.mjs'));
    await connection.start(start);
    assert.deepEqual(
      connection.lists.value.tools.items.map(({ name }) => name),
      ['echo'],
    );
  });

  it('fault 18: characters cut by chunk borders stay whole', async () => {
    const { connection } = connectionTo(fixture('byteByByte.mjs'));
    await connection.start(start);
    assert.equal(connection.lists.value.tools.items[0]?.description, '→é🎉漢');
  });

  it('fault 19: output without end stops that server alone, with bounded memory', async () => {
    const { connection } = connectionTo(fixture('endlessLine.mjs'), { limits: { messageBytes: 32 * 1_048_576 } });
    const other = connectionTo(fixture('plain.mjs'));
    await Promise.all([connection.start(start), other.connection.start(start)]);
    const before = process.memoryUsage().rss;
    const error = await failure(connection.callTool('stdout', {}));
    assert.equal(error.code, 'MESSAGE_TOO_LARGE');
    assert.match(error.message, /above 32 MB/);
    assert.equal(process.memoryUsage().rss - before < 150 * 1_048_576, true);
    await until(() => connection.state.value.kind === 'failed');
    assert.equal(other.connection.state.value.kind, 'ready');
  });

  it('fault 19: endless stderr and a large result below the cap are served', async () => {
    const { connection, log } = connectionTo(fixture('endlessLine.mjs'));
    await connection.start(start);
    assert.equal(textOf(await connection.callTool('stderr', {})), 'still here');
    assert.equal(
      log.lines.every((line) => line.length < 5_000),
      true,
    );
    assert.equal(textOf(await connection.callTool('large', {})).length, 20 * 1_048_576);
  });

  it('fault 19: of a flood on stderr a part is logged, and how much was left out', async () => {
    const { connection, log } = connectionTo(fixture('endlessLine.mjs'));
    await connection.start(start);
    await connection.callTool('lines', {});
    const shown = (): number => log.lines.filter((line) => line === 'stderr: line').length;
    const leftOut = (): readonly number[] =>
      log.lines.flatMap((line) => Number(/^stderr: … and (\d+) more lines within a second$/.exec(line)?.[1] ?? 0));
    await eventually(() => shown() + leftOut().reduce((sum, count) => sum + count) === 50_000);
    assert.equal(shown() < 25_000, true, `${shown()} shown`);
  });

  it('fault 19: a server that asks much before it reads gets all its answers', async () => {
    const { connection } = connectionTo(fixture('asksFirst.mjs'), { limits: { requestMs: 20_000 } });
    await connection.start(start);
    assert.equal(textOf(await connection.callTool('echo', {})), '40000 answered');
  });

  it('fault 20: text on stderr is no failure', async () => {
    const { connection, log } = connectionTo(fixture('noisyStderr.mjs'));
    await connection.start(start);
    assert.equal(connection.state.value.kind, 'ready');
    assert.equal(connection.lists.value.tools.items.length, 1);
    assert.equal(log.lines.includes('stderr: INFO running on stdio'), true);
  });

  it('fault 21: a server that ends at once fails with its exit code and what it said', async () => {
    const { connection } = connectionTo(fixture('exitAtOnce.mjs'));
    const error = await failure(connection.start(start));
    assert.equal(error.code, 'SERVER_EXITED');
    assert.equal(error.message, '"srv" exited with code 1: DATABASE_URL is not set');
    const state = connection.state.value;
    assert.equal(state.kind === 'failed' && state.problem.code, 'SERVER_EXITED');
    assert.equal(state.kind === 'failed' && state.detail.includes('Error: DATABASE_URL is not set'), true);
  });

  it('fault 21: a server that ends right after its initialize result', async () => {
    const { connection } = connectionTo(fixture('exitAfterInitialize.mjs'));
    const error = await failure(connection.start(start));
    assert.equal(error.code, 'SERVER_EXITED');
    assert.match(error.message, /exited with code 3/);
    assert.equal(connection.state.value.kind, 'failed');
  });

  it('fault 21: a server that closes its stdout and keeps running', async () => {
    const { connection } = connectionTo(fixture('closedStdout.mjs'));
    await connection.start(start);
    const error = await failure(connection.callTool('echo', {}));
    assert.equal(error.code, 'CONNECTION_LOST');
    assert.match(error.message, /closed its output/);
    assert.equal(connection.state.value.kind, 'reconnecting');
  });

  it('fault 21: a server that closed its input fails the next call, and says so', async () => {
    const { connection } = connectionTo(fixture('closedStdin.mjs'), { limits: { requestMs: 60_000 } });
    await connection.start(start);
    assert.equal(textOf(await connection.callTool('echo', {})), 'closed');
    const error = await failure(connection.callTool('echo', {}));
    assert.equal(error.code, 'CONNECTION_LOST');
    assert.equal(error.message, '"srv" closed its input and was stopped. See its log, then start it again.');
    assert.equal(connection.state.value.kind, 'reconnecting');
  });

  it('fault 21: a server that ends during a call rejects every waiting call at once', async () => {
    const { connection } = connectionTo(fixture('exitDuringCall.mjs'));
    await connection.start(start);
    const errors = await Promise.all([failure(connection.callTool('a', {})), failure(connection.callTool('b', {}))]);
    for (const error of errors) {
      assert.equal(error.code, 'SERVER_EXITED');
      assert.equal(error.message, '"srv" exited with code 7: no more memory');
    }
    assert.equal(connection.state.value.kind, 'reconnecting');
  });

  it('fault 21: a command that does not exist', async () => {
    const { connection } = connectionTo({
      type: 'stdio',
      command: 'no-such-command',
      args: [],
      env: { PATH: '/x:/y' },
    });
    const error = await failure(connection.start(start));
    assert.equal(error.code, 'COMMAND_NOT_FOUND');
    assert.match(error.message, /"no-such-command".*PATH searched: \/x:\/y/);
  });

  it('fault 21: a command that no system can run', async () => {
    const { connection } = connectionTo({ type: 'stdio', command: 'no\u0000de', args: [], env: {} });
    const error = await failure(connection.start(start));
    assert.equal(error.code, 'SPAWN_FAILED');
    assert.match(error.message, /cannot start/);
  });

  it('fault 21: a working directory that does not exist', async () => {
    const { connection } = connectionTo({
      ...fixture('plain.mjs'),
      type: 'stdio',
      command: 'node',
      args: [],
      env: {},
      cwd: '/no/such',
    });
    const error = await failure(connection.start(start));
    assert.equal(error.code, 'SPAWN_FAILED');
    assert.match(error.message, /\/no\/such does not exist/);
  });

  for (const [habit, reason] of [
    ['pretty', /^It spreads a message over several lines\..* It wrote: "jsonrpc": "2\.0",$/],
    ['headers', /^It puts headers before its messages.* It wrote: Content-Length: \d+$/],
    ['wide', /^It writes UTF-16 instead of UTF-8\..* It wrote: /],
    ['unmarked', /^It leaves out "jsonrpc": "2\.0"\..* It wrote: \{"id":/],
    ['unended', /^It does not end its message with a newline\..* It wrote: \{"jsonrpc":"2\.0"/],
    ['banner', /^Check its command, or raise .* no message: > red started$/],
  ] as const) {
    it(`fault 16: a start that fails for its output says so: ${habit}`, async () => {
      const { connection } = connectionTo(fixture('foreignOutput.mjs', habit), { limits: { startMs: 1_500 } });
      const { code, message } = await failure(connection.start(start));
      assert.equal(code, 'START_TIMEOUT');
      const [, said = ''] = message.split('it did not answer the handshake. ');
      assert.match(said, reason);
      assert.equal(said.includes('startTimeout'), habit === 'banner');
    });
  }

  it('fault 21: a whole last message without a newline counts', async () => {
    const { connection } = connectionTo(fixture('foreignOutput.mjs', 'lastWords'));
    await connection.start(start);
    assert.equal(textOf(await connection.callTool('echo', {})), 'bye');
  });
});
