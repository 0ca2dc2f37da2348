import assert from 'node:assert/strict';
import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { WindowLink } from '../../../src/bridge/windowLink';
import type { WindowHttp } from '../../../src/bridge/windowHttp';
import { chooseWindow } from '../../../src/server/discovery/chooseWindow';
import type { WindowRecord } from '../../../src/server/discovery/discoveryTypes';
import { ManualClock } from '../server/manualClock';
import { eventually } from '../core/connections/until';
import { someRecord } from '../server/discovery/someRecord';
import { BridgeProgram } from './bridgeProcess';

describe('bridge: a reload of its window while others are open', function () {
  this.timeout(60_000);
  let program: BridgeProgram;

  beforeEach(async () => {
    program = await BridgeProgram.build();
  });

  afterEach(() => program.dispose());

  for (const era of ['session', 'stateless'] as const) {
    it(`waits for it, and returns from one that stands in, telling the agent (${era})`, async () => {
      const own = realpathSync(program.folder);
      const other = join(own, 'other');
      mkdirSync(other);
      const first = await program.open('own', own, { id: 'own' });
      await program.open('other', other, { id: 'other' });
      await program.open('parent', join(own, '..'), { id: 'parent' });
      let changed = 0;
      const client = await program.client(era, [], (it) =>
        it.setNotificationHandler('notifications/tools/list_changed', () => void (changed += 1)),
      );
      const who = async (): Promise<string> => {
        const { content } = await client.callTool({ name: 'who', arguments: {} });
        return content[0]?.type === 'text' ? content[0].text : '';
      };
      if (era === 'stateless') {
        await client.listen({ toolsListChanged: true });
      }
      assert.equal(await who(), 'own {}');
      first.close();
      const answer = who();
      await new Promise((resolve) => setTimeout(resolve, 1_200));
      const second = await program.open('own again', own, { id: 'own' });
      assert.equal(await answer, 'own again {}');
      second.close();
      assert.equal(await who(), 'parent {}');
      await eventually(() => changed > 0);
      changed = 0;
      await program.open('own at last', own, { id: 'own' });
      // It is looked for with a request, and not more often than twice a second.
      let last = '';
      while (last !== 'own at last {}') {
        last = await who();
      }
      await eventually(() => changed > 0);
    });
  }
});

describe('bridge: the window of now', () => {
  const app = someRecord('app', { token: '1' }, '/projects/app');
  const other = someRecord('other', { token: '2', lastFocusedAt: 9 }, '/other');

  function link(cwd: string, alive: () => readonly WindowRecord[]) {
    const clock = new ManualClock();
    const said: string[] = [];
    const find = async (previous: readonly WindowRecord[], isReloading: boolean) =>
      chooseWindow(alive(), { cwd, previous, isReloading }, 'linux');
    const it = new WindowLink(find, '/editor', (text) => said.push(text), undefined, clock);
    return { it, clock, said };
  }

  /** Lets time pass in small steps, until the window is found or the wait is over. */
  async function get(it: WindowLink, clock: ManualClock): Promise<WindowHttp | undefined> {
    let isDone = false;
    const found = it.get().finally(() => (isDone = true));
    while (!isDone) {
      await new Promise((resolve) => setImmediate(resolve));
      clock.pass(100);
    }
    return found;
  }

  for (const cwd of ['/projects/app', '/elsewhere']) {
    it(`is no other project’s once the agent had one (${cwd})`, async () => {
      let alive = cwd === '/elsewhere' ? [app] : [app, other];
      const { it, clock, said } = link(cwd, () => alive);
      const first = await get(it, clock);
      assert.equal(first?.record.id, 'app');
      alive = [other];
      it.lost(first);
      const lostAt = clock.now();
      assert.equal(await get(it, clock), undefined);
      assert.ok(clock.now() - lostAt >= 5_000);
      assert.match(
        it.state,
        /^Code with app at .* is not there any more.* Open are: Code with other at \/other \(other\)\.$/,
      );
      alive = [other, { ...app, token: '3' }];
      assert.equal((await get(it, clock))?.record.token, '3');
      assert.deepEqual(
        said.map((text) => /^Connected|gone away|which served before, is not there/.exec(text)?.[0]),
        ['Connected', 'gone away', 'which served before, is not there', 'Connected'],
      );
      it.dispose();
    });
  }

  it('is named without what a terminal would obey, in one line', async () => {
    const editor = { name: '\u001b[2J\u001b]0;x\u0007Code\nportico: fake', version: '1' };
    const { it, clock, said } = link('/projects/app', () => [{ ...app, editor }]);
    const http = await get(it, clock);
    assert.ok(http);
    const named = ' [2J ]0;x Code portico: fake with app at /projects/app';
    assert.deepEqual(said, [`Connected to ${named}: it has /projects/app open.`]);
    assert.equal(it.state, said[0]);
    it.dispose();
  });

  it('gives way to one that holds the agent’s directory, at a request and while nothing runs', async () => {
    let alive = [other];
    const { it, clock, said } = link('/projects/app/src', () => alive);
    const found: string[] = [];
    it.onDidFind((http) => found.push(http.record.id));
    const first = await get(it, clock);
    assert.equal(first?.record.id, 'other');
    alive = [other, app];
    clock.pass(1_000);
    Object.defineProperty(first, 'isBusy', { value: true, configurable: true });
    assert.equal(await it.get(), first);
    Object.defineProperty(first, 'isBusy', { value: false });
    assert.equal((await it.get())?.record.id, 'app');
    assert.deepEqual(found, ['other', 'app']);
    assert.match(said.at(-1) ?? '', /^Connected to Code with app at \/projects\/app: its folder holds/);
    it.dispose();
  });
});
