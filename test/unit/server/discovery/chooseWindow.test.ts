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
  const app = someRecord('app', { lastFocusedAt: 5 }, '/work/app');
  const inner = someRecord('inner', { lastFocusedAt: 3 }, '/docs', '/work/app/packages/inner');
  const copy = someRecord('copy', { lastFocusedAt: 9 }, '/work/app-copy');
  const all = [app, inner, copy];

  it('takes the one asked for, and no other', () => {
    assert.equal(pick(all, { window: 'inner', terminal: 'app' }), 'inner: it is the one asked for (inner)');
    assert.equal(pick(all, { window: '/work/app-copy' }), 'copy: it is the one asked for (/work/app-copy)');
    assert.equal(pick(all, { workspace: '/work/app/src' }), 'app: it has /work/app/src open');
    assert.match(
      pick(all, { window: 'gone' }),
      /^No window fits “gone”\. Open are: Code with app at \/work\/app \(app\); /,
    );
    assert.match(pick(all, { workspace: '/work' }), /^No window has \/work open\./);
  });

  it('goes by the terminal, then by the window before, then by the deepest folder', () => {
    assert.equal(pick(all, { terminal: 'copy', cwd: '/work/app' }), 'copy: its terminal started the agent');
    assert.equal(pick(all, { terminal: 'gone', previous: app, cwd: '/docs' }), 'app: it served before');
    const reloaded = { ...app, id: 'new' };
    assert.match(
      pick([reloaded, copy], { previous: app }),
      /^new: it has the folders of the window that served before/,
    );
    assert.equal(pick(all, { cwd: '/work/app/packages' }), 'app: its folder holds /work/app/packages');
    assert.match(pick(all, { cwd: '/work/app/packages/inner/src' }), /^inner: /);
  });

  it('compares whole segments, and cases as the system does', () => {
    assert.match(pick(all, { cwd: '/work/app-copy' }), /^copy: its folder/);
    assert.match(pick([app, copy], { cwd: '/work/app-copy-2' }), /^copy: no window has/);
    assert.match(pick(all, { cwd: '/WORK/app' }), /^copy: no window/);
    assert.match(pick(all, { cwd: '/WORK/app' }, 'darwin'), /^app: its folder/);
    const windows = someRecord('win', {}, 'c:\\Work\\App');
    assert.match(pick([windows, copy], { cwd: 'C:\\work\\app\\src' }, 'win32'), /^win: its folder holds/);
    assert.match(pick([windows, copy], { cwd: 'C:/work/app' }, 'win32'), /^win: its folder holds/);
  });

  it('takes the only window below the agent’s directory, else the one used last, and says so', () => {
    assert.equal(
      pick([app, someRecord('x', { lastFocusedAt: 7 }, '/else')], { cwd: '/work' }),
      'app: its folder lies in /work',
    );
    assert.equal(
      pick(all, { cwd: '/work' }),
      'copy: no window has the agent’s directory open; this one was used last, the one used last of 3',
    );
    const twice = [app, { ...app, id: 'again', lastFocusedAt: 8 }];
    assert.equal(pick(twice, { cwd: '/work/app' }), 'again: its folder holds /work/app, the one used last of 2');
    assert.equal(pick([], {}), 'No editor window with Portico is open.');
  });
});
