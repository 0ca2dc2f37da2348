import assert from 'node:assert/strict';
import { chooseWindow, type WindowWish } from '../../../../src/server/discovery/chooseWindow';
import type { WindowRecord } from '../../../../src/server/discovery/discoveryTypes';
import { someRecord } from './someRecord';

const pick = (
  records: readonly WindowRecord[],
  wish: Partial<WindowWish>,
  platform: NodeJS.Platform = 'linux',
): string => {
  const choice = chooseWindow(records, { cwd: '/elsewhere', ...wish }, platform);
  return choice.kind === 'chosen' ? `${choice.record.id}: ${choice.why}` : choice.why;
};

describe('discovery: choosing a window', () => {
  const app = someRecord('app', { lastFocusedAt: 5 }, '/projects/app');
  const inner = someRecord('inner', { lastFocusedAt: 3 }, '/docs', '/projects/app/packages/inner');
  const copy = someRecord('copy', { lastFocusedAt: 9 }, '/projects/app-copy');
  const all = [app, inner, copy];

  it('takes the one asked for, and no other', () => {
    assert.equal(pick(all, { window: 'inner', terminal: 'app' }), 'inner: it is the one asked for (inner)');
    assert.equal(pick(all, { window: '/projects/app-copy' }), 'copy: it is the one asked for (/projects/app-copy)');
    assert.equal(pick(all, { workspace: '/projects/app/src' }), 'app: its folder holds /projects/app/src');
    assert.match(
      pick(all, { window: 'gone' }),
      /^No window fits “gone”\. Open are: Code with app at \/projects\/app \(app\); /,
    );
    assert.match(pick(all, { workspace: '/projects' }), /^No window has \/projects open\./);
    assert.equal(pick([], { window: 'gone' }), 'No window fits “gone”. No editor window with Portico is open.');
  });

  it('goes by the terminal, then by the window before, then by the deepest folder', () => {
    assert.equal(pick(all, { terminal: 'copy', cwd: '/projects/app' }), 'copy: its terminal started the agent');
    assert.equal(pick(all, { terminal: 'gone', previous: [app], cwd: '/elsewhere' }), 'app: it served before');
    const reloaded = { ...app, id: 'new' };
    assert.match(
      pick([reloaded, copy], { previous: [app] }),
      /^new: it has the folders of the window that served before/,
    );
    assert.equal(pick(all, { cwd: '/projects/app/packages' }), 'app: its folder holds /projects/app/packages');
    assert.match(pick(all, { cwd: '/projects/app/packages/inner/src' }), /^inner: /);
  });

  it('compares whole segments, and cases as the system does', () => {
    assert.match(pick(all, { cwd: '/projects/app-copy' }), /^copy: it has /);
    assert.match(pick([app, copy], { cwd: '/projects/app-copy-2' }), /^copy: no window has/);
    assert.match(pick(all, { cwd: '/PROJECTS/app' }), /^copy: no window/);
    assert.match(pick(all, { cwd: '/PROJECTS/app' }, 'darwin'), /^app: it has/);
    const windows = someRecord('win', {}, 'c:\\Projects\\App');
    assert.match(pick([windows, copy], { cwd: 'C:\\projects\\app\\src' }, 'win32'), /^win: its folder holds/);
    assert.match(pick([windows, copy], { cwd: 'C:/projects/app' }, 'win32'), /^win: it has C:/);
  });

  it('takes the only window below the agent’s directory, else the one used last, and says so', () => {
    assert.equal(
      pick([app, someRecord('x', { lastFocusedAt: 7 }, '/else')], { cwd: '/projects' }),
      'app: its folder lies in /projects',
    );
    assert.equal(
      pick(all, { cwd: '/projects' }),
      'copy: no window has the agent’s directory open; this one was used last, the one used last of 3',
    );
    assert.equal(pick(all, { cwd: '/projects/app' }), 'app: it has /projects/app open');
    const twice = [app, { ...app, id: 'again', lastFocusedAt: 8 }];
    assert.equal(pick(twice, { cwd: '/projects/app' }), 'again: it has /projects/app open, the one used last of 2');
    assert.equal(pick([], {}), 'No editor window with Portico is open.');
  });

  const next = (records: readonly WindowRecord[], wish: Partial<WindowWish>) => {
    const choice = chooseWindow(records, { cwd: '/elsewhere', ...wish }, 'linux');
    return choice.kind === 'chosen'
      ? { id: choice.record.id, previous: choice.previous.map(({ id }) => id), isBest: choice.isBest }
      : choice.why;
  };

  it('gives no other window while the one before may be loading again, whatever was asked for', () => {
    const wishes = [{ cwd: '/projects/app' }, { workspace: '/projects/app' }, { window: 'app' }, { terminal: 'gone' }];
    for (const wish of wishes) {
      const others = [copy, { ...app, id: 'wider', folders: someRecord('', {}, '/projects').folders }];
      const why = next(others, { ...wish, previous: [app], isReloading: true });
      assert.match(
        JSON.stringify(why),
        /^"Code with app at \/projects\/app has gone away; it may be loading again\. Open are/,
      );
      const again = next([...others, app], { cwd: '/projects/app', ...wish, previous: [app], isReloading: true });
      assert.equal(typeof again === 'object' && again.id, 'app');
    }
  });

  it('gives the window used last to no agent that had another, and goes to the one that holds its directory', () => {
    for (const cwd of ['/projects/app', '/projects', '/elsewhere']) {
      assert.match(
        String(next([copy], { cwd, previous: [app] })),
        /^Code with app at \/projects\/app, which served before, is not there any more, and no other .* Open are: .*\(copy\)/,
      );
    }
    assert.deepEqual(next([copy], {}), { id: 'copy', previous: ['copy'], isBest: false });
    assert.deepEqual(next([copy, app], { cwd: '/projects/app', previous: [copy] }), {
      id: 'app',
      previous: ['app'],
      isBest: true,
    });
  });

  it('gives back the agent’s own window once it is there, after another that holds its directory stood in', () => {
    const wider = someRecord('wider', { lastFocusedAt: 50 }, '/projects');
    const wish = { cwd: '/projects/app' };
    assert.deepEqual(next([wider], { ...wish, previous: [app] }), {
      id: 'wider',
      previous: ['app', 'wider'],
      isBest: false,
    });
    assert.deepEqual(next([wider], { ...wish, previous: [app, wider], isReloading: true }), {
      id: 'wider',
      previous: ['app', 'wider'],
      isBest: false,
    });
    const back = next([wider, { ...app, id: 'new' }], { ...wish, previous: [app, wider] });
    assert.deepEqual(back, { id: 'new', previous: ['new', 'wider'], isBest: true });
    const byTerminal = next([wider, app], { ...wish, terminal: 'app', previous: [wider] });
    assert.deepEqual(byTerminal, { id: 'app', previous: ['app'], isBest: true });
  });
});
