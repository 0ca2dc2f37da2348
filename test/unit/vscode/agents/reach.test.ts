import assert from 'node:assert/strict';
import { readFileSync, realpathSync } from 'node:fs';
import { PorticoError } from '../../../../src/base/errors';
import { ClientTokens, newToken } from '../../../../src/server/clientTokens';
import { countTools } from '../../../../src/vscode/agents/reach';
import type { AgentEntry } from '../../../../src/vscode/agents/agentTypes';
import { BridgeProgram } from '../../bridge/bridgeProcess';
import { FakeWindow } from '../../bridge/fakeWindow';
import { createTestListener } from '../../server/localListener';

describe('a connection as an agent makes it', function () {
  this.timeout(60_000);
  let program: BridgeProgram;
  before(async () => (program = await BridgeProgram.build()));
  after(() => program.dispose());

  const said: string[] = [];
  const reach = (entry: AgentEntry, signal = new AbortController().signal): Promise<number> =>
    countTools(entry, {
      env: program.env(),
      cwd: program.folder,
      version: '1',
      signal,
      say: (line) => said.push(line),
    });
  const bridge = (...args: string[]): AgentEntry => ({
    kind: 'bridge',
    command: process.execPath,
    args: [program.path, ...args],
    env: { MARK: 'reach' },
  });
  /** Processes that this test has started and that are still there. */
  const left = (): readonly string[] => childrenOf(process.pid).filter((command) => command.includes(program.path));

  it('starts the bridge, counts the tools, and leaves nothing running', async () => {
    const window = await FakeWindow.open(program.home, 'one', realpathSync(program.folder));
    try {
      assert.equal(await reach(bridge('--editor')), 1);
      assert.deepEqual(left(), []);
    } finally {
      window.close();
    }
  });

  it('fails where the bridge has no window, though it answers with the tools that it knows', async () => {
    await assert.rejects(
      reach(bridge('--editor')),
      (error: unknown) => PorticoError.is(error, 'CONNECT_FAILED') && /Connect an Agent/.test(error.message),
    );
    assert.deepEqual(left(), []);
  });

  it('fails where the program is none, ends at once, or says something else', async () => {
    await assert.rejects(reach({ kind: 'bridge', command: '/nowhere/node', args: [], env: {} }), /ENOENT/);
    await assert.rejects(reach(bridge('--unknown')), /./);
    assert.match(said.join('\n'), /unknown/);
    assert.deepEqual(left(), []);
  });

  it('can be cancelled, and leaves nothing running', async () => {
    const controller = new AbortController();
    const silent: AgentEntry = {
      kind: 'bridge',
      command: process.execPath,
      args: ['-e', 'process.stdin.resume(); process.stderr.write("here")', program.path],
      env: {},
    };
    await assert.rejects(
      countTools(silent, {
        env: program.env(),
        cwd: program.folder,
        version: '1',
        signal: controller.signal,
        say: () => controller.abort(),
      }),
    );
    assert.deepEqual(left(), []);
    await assert.rejects(reach(bridge('--editor'), controller.signal));
  });

  it('calls an address with the token', async () => {
    const tokens = new ClientTokens();
    const token = newToken();
    tokens.add({ id: 'codex', label: 'Codex' }, token);
    const window = await FakeWindow.open(program.home, 'two', realpathSync(program.folder));
    const { listener, dispose } = createTestListener({}, tokens);
    try {
      listener.addRoute(window.endpoint.route('/editor'));
      const { port } = await listener.startLoopback();
      const entry = (value: string): AgentEntry => ({
        kind: 'url',
        url: `http://127.0.0.1:${port}/editor`,
        headers: { Authorization: `Bearer ${value}` },
      });
      assert.equal(await reach(entry(token)), 1);
      await assert.rejects(reach(entry('old')), /401|Unauthorized/i);
      await listener.stopLoopback();
      await assert.rejects(reach(entry(token)));
    } finally {
      dispose();
      window.close();
    }
  });
});

/** Command lines of a process's children; read from /proc, elsewhere nothing is found. */
function childrenOf(pid: number): readonly string[] {
  if (process.platform !== 'linux') {
    return [];
  }
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
  return children.flatMap((child) => {
    try {
      return [readFileSync(`/proc/${child}/cmdline`, 'utf8').replaceAll('\0', ' ')];
    } catch {
      // It has ended in the meantime.
      return [];
    }
  });
}
