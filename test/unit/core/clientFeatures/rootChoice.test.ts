import assert from 'node:assert/strict';
import { chooseRoots, type RootChoice } from '../../../../src/core/clientFeatures/rootChoice';
import type { RootSettings } from '../../../../src/core/clientFeatures/rootLists';
import { folder, layer, remote, rootSettings, stdio } from './rootFixtures';

describe('choice of roots', () => {
  const choose = (
    more: Partial<RootSettings>,
    choice: Partial<RootChoice>,
    scope: 'workspace' | 'user' = 'workspace',
    launch = stdio,
  ) => {
    const settings = rootSettings(more);
    const after = chooseRoots({ key: 'fs', launch }, settings, scope, { told: [], notTold: [], ...choice });
    const value = (kind: 'include' | 'exclude') => after[kind].find((one) => one.scope === scope)?.value;
    return [value('include'), value('exclude')];
  };

  it('holds a folder back by its variable, and lets it go again', () => {
    const one = [folder('/w/a')];
    assert.deepEqual(choose({ folders: one }, { notTold: ['/w/a'] }), [{}, { fs: ['${workspaceFolder}'] }]);
    const exclude = [layer({ fs: ['${workspaceFolder}'], other: ['/x'] }, 'workspace')];
    assert.deepEqual(choose({ folders: one, exclude }, { told: ['/w/a'] }), [{}, { other: ['/x'] }]);
    const two = [folder('/w/a'), folder('/w/b')];
    assert.deepEqual(choose({ folders: two }, { told: ['/w/a'], notTold: ['/w/b'] }), [
      {},
      { fs: ['${workspaceFolder:b}'] },
    ]);
    const alike = [folder('/w/a'), folder('/v/a')];
    assert.deepEqual(choose({ folders: alike }, { notTold: ['/v/a'] }), [{}, { fs: ['/v/a'] }]);
  });

  it('adds directories, and takes its own entries out again', () => {
    const include = [layer({ fs: ['/lib', 'odd'], '*': ['/all'] }, 'workspace'), layer({ fs: ['/mine'] })];
    assert.deepEqual(choose({ include }, { told: ['/lib', '/all', '/mine', '/home/me/docs'] }), [
      { fs: ['/lib', 'odd', '~/docs'], '*': ['/all'] },
      {},
    ]);
    assert.deepEqual(choose({ include }, { told: ['/all'], notTold: ['/lib', '/mine'] }), [
      { fs: ['odd'], '*': ['/all'] },
      { fs: ['/mine'] },
    ]);
  });

  it('splits a directory that is held back whole', () => {
    const folders = [folder('/w/a'), folder('/w/b')];
    const exclude = [layer({ fs: ['/w'] }, 'workspace')];
    assert.deepEqual(choose({ folders, exclude }, { told: ['/w/a'], notTold: ['/w/b'] }), [
      {},
      { fs: ['${workspaceFolder:b}'] },
    ]);
  });

  it('leaves alone what other entries hold back', () => {
    const folders = [folder('/w/a')];
    assert.deepEqual(choose({ folders, exclude: [layer({ fs: ['/w'] })] }, { told: ['/w/a'] }), [{}, {}]);
    assert.deepEqual(choose({ folders, exclude: [layer({ '*': ['/w'] }, 'workspace')] }, { told: ['/w/a'] }), [
      {},
      { '*': ['/w'] },
    ]);
  });

  it('writes paths into the person’s settings, which other windows read', () => {
    assert.deepEqual(choose({ folders: [folder('/home/me/a')] }, { notTold: ['/home/me/a'] }, 'user'), [
      {},
      { fs: ['~/a'] },
    ]);
  });

  it('names a folder for a server on another machine', () => {
    const far = remote('https://mcp.example.com');
    assert.deepEqual(choose({ folders: [folder('/w/a')] }, { told: ['/w/a'] }, 'workspace', far), [
      { fs: ['${workspaceFolder}'] },
      {},
    ]);
  });
});
