import assert from 'node:assert/strict';
import { realpathSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { WindowHttp } from '../../../src/bridge/windowHttp';
import { WindowLink } from '../../../src/bridge/windowLink';
import { WindowRefused, WindowSession } from '../../../src/bridge/windowSession';
import { NullLogger } from '../../../src/base/log';
import { chooseWindow } from '../../../src/server/discovery/chooseWindow';
import type { WindowRecord } from '../../../src/server/discovery/discoveryTypes';
import { PublishedRecord } from '../../../src/server/discovery/publishedRecord';
import { eventually } from '../core/connections/until';
import { someRecord } from '../server/discovery/someRecord';
import { initialize, rpc } from '../server/gatewayHarness';
import { ManualClock } from '../server/manualClock';
import { BridgeProgram } from './bridgeProcess';

/** Takes connections, and answers none until it is told to. */
class StoppedWindow {
  private readonly sockets = new Set<Socket>();
  private isStopped = true;
  taken = 0;

  private constructor(
    private readonly server: Server,
    readonly path: string,
  ) {}

  static async open(path: string): Promise<StoppedWindow> {
    const server = createServer();
    const window = new StoppedWindow(server, path);
    server.on('connection', (socket) => {
      window.taken += 1;
      window.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('data', () => window.isStopped || window.answer(socket));
    });
    await new Promise<void>((resolve) => server.listen(path, resolve));
    return window;
  }

  /** Answers what has come, and all that comes. */
  goOn(): void {
    this.isStopped = false;
    this.sockets.forEach((socket) => this.answer(socket));
  }

  close(): void {
    this.sockets.forEach((socket) => socket.destroy());
    this.server.close();
  }

  private answer(socket: Socket): void {
    socket.end('HTTP/1.1 405 Method Not Allowed\r\nContent-Length: 0\r\n\r\n');
  }
}

describe('bridge: a window that takes connections and does not answer', function () {
  this.timeout(60_000);
  let program: BridgeProgram;
  let stopped: StoppedWindow;

  before(async () => {
    program = await BridgeProgram.build();
  });

  beforeEach(async () => {
    stopped = await StoppedWindow.open(join(program.folder, 'stopped.sock'));
  });

  afterEach(() => {
    stopped.close();
    program.closeWindows();
  });
  after(() => program.dispose());

  const record = (id: string, folder: string, more: Partial<WindowRecord> = {}): WindowRecord =>
    someRecord(id, { address: { kind: 'socket', path: stopped.path }, lastFocusedAt: 9, ...more }, folder);

  function link(alive: readonly WindowRecord[]) {
    const clock = new ManualClock();
    const said: string[] = [];
    const it = new WindowLink(
      async (previous, isReloading, isSilent) =>
        chooseWindow(
          alive.filter((one) => !isSilent(one)),
          { cwd: '/app', previous, isReloading },
          'linux',
        ),
      '/editor',
      (text) => said.push(text),
      undefined,
      clock,
    );
    return { it, clock, said };
  }

  it('is waited for as long as three seconds, then left for another that fits, and taken again once it answers', async () => {
    const standsIn = record('in', '/', { address: { kind: 'socket', path: '/none' }, lastFocusedAt: 1 });
    const { it, clock, said } = link([record('own', '/app'), standsIn]);
    const found: string[] = [];
    it.onDidFind((http) => found.push(http.record.id));
    const first = it.get();
    await eventually(() => stopped.taken === 1);
    clock.pass(2_900);
    assert.deepEqual(found, []);
    clock.pass(100);
    assert.equal((await first)?.record.id, 'in');
    clock.pass(1_000);
    assert.equal((await it.get())?.record.id, 'in');
    // It is asked once, however often a window is looked for.
    assert.equal(stopped.taken, 1);
    stopped.goOn();
    clock.pass(1_000);
    let now = '';
    while (now !== 'own') {
      await new Promise((resolve) => setImmediate(resolve));
      now = (await it.get())?.record.id ?? '';
      clock.pass(500);
    }
    assert.deepEqual(found, ['in', 'own']);
    assert.equal(said[0], 'Code with app at /app does not answer.');
    it.dispose();
  });

  it('is the agent’s own all the same: another project’s window does not stand in', async () => {
    const other = record('other', '/other', { address: { kind: 'socket', path: '/none' } });
    const { it, clock, said } = link([record('own', '/app'), other]);
    const first = it.get();
    await eventually(() => stopped.taken === 1);
    clock.pass(3_000);
    assert.equal(await first, undefined);
    assert.equal(await it.get(), undefined);
    assert.equal(`${it.state} ${it.advice}`.startsWith('Code with app at /app does not answer. It may be busy'), true);
    assert.equal(said.length, 1);
    stopped.goOn();
    await eventually(() => /^Connected to Code with app/.test(it.state));
    it.dispose();
  });

  it('also where it stops just before a session is opened', async () => {
    const clock = new ManualClock();
    const http = new WindowHttp(record('own', '/app'), '/editor');
    const ends = { onMessage: () => undefined, onForgotten: () => undefined, onLost: () => undefined };
    const opening = WindowSession.open(http, JSON.stringify(initialize('2025-11-25')), ends, clock);
    await eventually(() => stopped.taken === 1);
    clock.pass(3_000);
    await assert.rejects(opening, (error) => error instanceof WindowRefused && error.how === 'does not answer');
  });

  it('leaves no request without an answer, nor a call that runs long in another window', async () => {
    const folder = realpathSync(program.folder);
    const published = new PublishedRecord(program.home, record('own', folder), new NullLogger());
    await published.written;
    const agent = program.start();
    agent.send(rpc('ping', {}, 'before'));
    await agent.answer('before');
    agent.send(initialize('2025-11-25', 'open'));
    agent.send(rpc('ping', {}, 'ping'));
    await agent.answer('ping');
    assert.equal(agent.lines.length, 2);
    assert.match(JSON.stringify(await agent.answer('open')), /Code with .* does not answer\. It may be busy/);
    agent.send(rpc('tools/list', {}, 'list'));
    assert.match(JSON.stringify(await agent.answer('list')), /"get_diagnostics"/);
    agent.send(rpc('tools/call', { name: 'who', arguments: {} }, 'call'));
    assert.match(JSON.stringify(await agent.answer('call')), /Code with .* does not answer\..*"isError":true/);
    const second = await program.open('second', folder);
    second.offers.onCall = () => new Promise((resolve) => setTimeout(() => resolve('long'), 3_500));
    agent.send(rpc('tools/call', { name: 'who', arguments: {} }, 'long'));
    assert.match(JSON.stringify(await agent.answer('long')), /"text":"long"/);
    published.dispose();
    assert.equal(await agent.end(), 0);
  });
});
