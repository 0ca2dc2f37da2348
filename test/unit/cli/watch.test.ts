import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually, isAlive, WireTrace } from '../core/connections/until';
import { type CliResult, CliUnderTest, everything, fixture } from './cliRun';

interface Line {
  readonly server: string;
  readonly what: string;
  readonly state?: string;
  readonly count?: number;
  readonly uri?: string;
  readonly problem?: { readonly code: string; readonly message: string };
}

describe('cli watch', function () {
  this.timeout(60_000);
  let cli: CliUnderTest;
  let wire: WireTrace;
  before(async () => {
    cli = await CliUnderTest.build();
  });
  beforeEach(() => {
    wire = new WireTrace();
  });
  afterEach(() => wire.dispose());
  after(() => cli?.dispose());

  /** What it has printed so far; every line must be whole. */
  const watch = (config: string): { child: ChildProcess; result: Promise<CliResult>; lines: () => readonly Line[] } => {
    const { child, result } = cli.spawn('watch', '--config', config);
    let text = '';
    child.stdout?.on('data', (chunk: string) => (text += chunk));
    const lines = (): readonly Line[] =>
      text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Line);
    return { child, result, lines };
  };
  const subscribed = (): number => wire.methods.filter((method) => method === 'resources/subscribe').length;

  it('prints a line for each change of states, lists and resources until SIGINT, then ends with 0', async () => {
    const file = join(cli.folder, 'today.md');
    await writeFile(file, 'one');
    const shelf = { ...fixture('shelf.mjs'), env: { ...wire.env, SHELF_FILE: file } };
    const config = await cli.config({
      shelf,
      everything,
      off: { ...everything, disabled: true },
      dies: fixture('exitAtOnce.mjs'),
      missing: { command: 'no-such-command-here' },
      asks: { ...everything, env: { KEY: '${env:PORTICO_NOWHERE}${input:key}' } },
      broken: { args: ['x'], command: '' },
    });
    const { child, result, lines } = watch(config);
    const of = (server: string, what: string): readonly Line[] =>
      lines().filter((line) => line.server === server && line.what === what);
    const isSettled = (server: string): boolean =>
      ['ready', 'failed'].includes(of(server, 'state').at(-1)?.state ?? '');
    const servers = ['shelf', 'everything', 'dies', 'missing', 'asks', 'broken'];
    await eventually(() => servers.every(isSettled) && subscribed() === 6);
    assert.deepEqual(of('shelf', 'state'), [
      { server: 'shelf', what: 'state', state: 'starting' },
      { server: 'shelf', what: 'state', state: 'ready' },
    ]);
    assert.deepEqual(
      lines().filter(({ server, count }) => server === 'shelf' && count !== undefined),
      [
        { server: 'shelf', what: 'resources', count: 6 },
        { server: 'shelf', what: 'templates', count: 1 },
      ],
    );
    assert.deepEqual(
      ['dies', 'missing', 'asks', 'broken'].map((server) => of(server, 'state').at(-1)?.problem?.code),
      ['SERVER_EXITED', 'COMMAND_NOT_FOUND', 'VARIABLE_MISSING', 'CONFIG_INVALID'],
    );
    assert.deepEqual(of('shelf', 'resource'), []);

    await writeFile(file, 'two');
    await eventually(() => of('shelf', 'resource').length > 0);
    assert.deepEqual(of('shelf', 'resource')[0], {
      ...{ server: 'shelf', what: 'resource', uri: 'shelf://notes/today.md' },
    });
    assert.equal(
      lines().some(({ server }) => server === 'off'),
      false,
    );

    const [pid = 0] = wire.pids;
    assert.equal(isAlive(pid), true);
    child.kill('SIGINT');
    const { code, stderr } = await result;
    assert.deepEqual([code, stderr], [0, '']);
    assert.equal(isAlive(pid), false);
  });

  it('tells when a server ends, and goes on with the others', async () => {
    const traced = { ...fixture('plain.mjs'), env: wire.env };
    const { child, result, lines } = watch(await cli.config({ ends: traced, everything }));
    const states = (server: string): readonly (string | undefined)[] =>
      lines().flatMap((line) => (line.server === server && line.what === 'state' ? [line.state] : []));
    await eventually(() => states('ends').at(-1) === 'ready' && states('everything').at(-1) === 'ready');
    process.kill(wire.pids[0] ?? 0, 'SIGKILL');
    await eventually(() => states('ends').length > 2);
    assert.deepEqual(states('everything'), ['starting', 'ready']);
    child.kill('SIGINT');
    assert.equal((await result).code, 0);
  });

  it('subscribes to the first thousand resources of a server', async () => {
    const many = { ...fixture('subscriptions.mjs', 'session', '1200'), env: wire.env };
    const { child, result, lines } = watch(await cli.config({ many }));
    await eventually(() => subscribed() >= 1_000);
    assert.ok(lines().some(({ what, count }) => what === 'resources' && count === 1_200));
    child.kill('SIGINT');
    assert.equal((await result).code, 0);
    assert.equal(subscribed(), 1_000);
  });

  it('ends with 0 on SIGINT while servers start', async () => {
    const { child, result, lines } = watch(await cli.config({ mute: { ...fixture('mute.mjs'), env: wire.env } }));
    await eventually(() => lines().some(({ state }) => state === 'starting'));
    child.kill('SIGINT');
    assert.equal((await result).code, 0);
  });

  it('ends with 1 where no server is enabled', async () => {
    const { code, stdout, stderr } = await cli.run('watch', '--config', await cli.config({}));
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^portico: SERVER_UNKNOWN: /);
  });
});
