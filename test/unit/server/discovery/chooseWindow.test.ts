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
    assert.equal(pick(all, { workspace: '/projects/app/src' }), 'app: it has /projects/app/src open');
    assert.match(
      pick(all, { window: 'gone' }),
      /^No window fits “gone”\. Open are: Code with app at \/projects\/app \(app\); /,
    );
    assert.match(pick(all, { workspace: '/projects' }), /^No window has \/projects open\./);
  });

  it('goes by the terminal, then by the window before, then by the deepest folder', () => {
    assert.equal(pick(all, { terminal: 'copy', cwd: '/projects/app' }), 'copy: its terminal started the agent');
    assert.equal(pick(all, { terminal: 'gone', previous: app, cwd: '/docs' }), 'app: it served before');
    const reloaded = { ...app, id: 'new' };
    assert.match(
      pick([reloaded, copy], { previous: app }),
      /^new: it has the folders of the window that served before/,
    );
    assert.equal(pick(all, { cwd: '/projects/app/packages' }), 'app: its folder holds /projects/app/packages');
    assert.match(pick(all, { cwd: '/projects/app/packages/inner/src' }), /^inner: /);
  });

  it('compares whole segments, and cases as the system does', () => {
    assert.match(pick(all, { cwd: '/projects/app-copy' }), /^copy: its folder/);
    assert.match(pick([app, copy], { cwd: '/projects/app-copy-2' }), /^copy: no window has/);
    assert.match(pick(all, { cwd: '/PROJECTS/app' }), /^copy: no window/);
    assert.match(pick(all, { cwd: '/PROJECTS/app' }, 'darwin'), /^app: its folder/);
    const windows = someRecord('win', {}, 'c:\\Projects\\App');
    assert.match(pick([windows, copy], { cwd: 'C:\\projects\\app\\src' }, 'win32'), /^win: its folder holds/);
    assert.match(pick([windows, copy], { cwd: 'C:/projects/app' }, 'win32'), /^win: its folder holds/);
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
    const twice = [app, { ...app, id: 'again', lastFocusedAt: 8 }];
    assert.equal(
      pick(twice, { cwd: '/projects/app' }),
      'again: its folder holds /projects/app, the one used last of 2',
    );
    assert.equal(pick([], {}), 'No editor window with Portico is open.');
  });
});
