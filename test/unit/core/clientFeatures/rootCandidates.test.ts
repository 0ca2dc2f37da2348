import assert from 'node:assert/strict';
import type { Launch } from '../../../../src/core/config/configTypes';
import { rootCandidates } from '../../../../src/core/clientFeatures/rootCandidates';
import { listedDirectories, type RootSettings } from '../../../../src/core/clientFeatures/rootLists';
import { folder, layer, remote, rootSettings, stdio, virtual } from './rootFixtures';

describe('candidates for roots', () => {
  const told = (more: Partial<RootSettings>, key = 'fs', launch: Launch = stdio): readonly string[] =>
    rootCandidates({ key, launch }, rootSettings(more))
      .filter(({ isTold }) => isTold)
      .map(({ name, path }) => `${name} ${path}`);

  it('fault 53: are the folders on a file system, and none else', () => {
    assert.deepEqual(told({ folders: [folder('/w/a', 'First'), virtual, folder('/w/b')] }), ['First /w/a', 'b /w/b']);
    assert.deepEqual(told({ folders: [virtual] }), []);
    assert.deepEqual(told({}), []);
  });

  it('fault 53: of a server on another machine are those alone that the settings name', () => {
    const folders = [folder('/w/a')];
    for (const url of [
      'http://localhost:3000/mcp',
      'http://127.0.0.1/mcp',
      'http://[::1]:1/mcp',
      'http://a.localhost',
    ]) {
      assert.deepEqual(told({ folders }, 'fs', remote(url)), ['a /w/a'], url);
    }
    for (const url of [
      'https://mcp.example.com/mcp',
      'http://localhost.example.com',
      'http://${env:HOST}/mcp',
      'http://127.0.0.1.x.y',
    ]) {
      assert.deepEqual(told({ folders }, 'fs', remote(url)), [], url);
    }
    const include = [layer({ fs: ['${workspaceFolder}'] })];
    assert.deepEqual(told({ folders, include }, 'fs', remote('https://mcp.example.com')), ['a /w/a']);
  });

  it('take what is included for all and for the server, each directory once', () => {
    const include = [
      layer({ '*': ['~/notes', '${userHome}/notes/'], fs: ['${workspaceFolder:b}/docs', '/w/a', '~'], other: ['/no'] }),
      layer({ fs: ['/w/x/../y'], constructor: ['/no'] }, 'workspace'),
    ];
    assert.deepEqual(told({ folders: [folder('/w/a'), folder('/w/b')], include }), [
      'a /w/a',
      'b /w/b',
      'notes /home/me/notes',
      'docs /w/b/docs',
      'me /home/me',
      'y /w/y',
    ]);
    assert.deepEqual(
      told({ include: [layer({ '*': ['C:\\', 'c:/Lib', 'C:\\lib'] })], platform: 'win32', home: 'C:\\me' }),
      ['C:\\ C:\\', 'Lib c:\\Lib'],
    );
  });

  it('read a folder’s own settings with its own path', () => {
    const [a, b] = [folder('/w/a'), folder('/w/b')];
    const include = [{ scope: 'folder' as const, folder: b, value: { fs: ['${workspaceFolder}/lib'] } }];
    assert.deepEqual(told({ folders: [a, b], include }), ['a /w/a', 'b /w/b', 'lib /w/b/lib']);
  });

  it('are held back where an excluded directory is them, or holds them', () => {
    const folders = [folder('/w/a'), folder('/w/b/c'), folder('/w/bc')];
    assert.deepEqual(told({ folders, exclude: [layer({ '*': ['/w/b'] })] }), ['a /w/a', 'bc /w/bc']);
    assert.deepEqual(told({ folders, exclude: [layer({ fs: ['${workspaceFolder}'], other: ['/w'] })] }), [
      'c /w/b/c',
      'bc /w/bc',
    ]);
    const both = { include: [layer({ fs: ['/w/lib'] })], exclude: [layer({ '*': ['/w'] }, 'workspace')] };
    assert.deepEqual(told({ folders, ...both }), []);
    assert.deepEqual(told({ folders, exclude: [layer({ '*': ['/W'] })] }).length, 3);
    assert.deepEqual(told({ folders, exclude: [layer({ '*': ['/W'] })], platform: 'darwin' }), []);
  });

  it('leave out what the settings cannot mean, and say it', () => {
    const problems: string[] = [];
    const include = [
      layer(['/a'], 'workspace'),
      layer({
        fs: '/a',
        '*': ['docs', 7, '${workspaceFolder}', '${workspaceFolder:gone}', '${env:HOME}', '~other', '/ok'],
      }),
    ];
    const directories = listedDirectories('include', rootSettings({ include, folders: [virtual] }), (one) =>
      problems.push(one),
    );
    assert.deepEqual(directories, [{ server: '*', path: '/ok' }]);
    assert.deepEqual(problems, [
      'portico.roots.include in the workspace settings: the value is ignored, because it is no object of lists by server name.',
      'portico.roots.include in the user settings: "fs" is ignored, because it is no list of directories.',
      ...['"docs"', '7', '"${workspaceFolder}"', '"${workspaceFolder:gone}"', '"${env:HOME}"', '"~other"'].map(
        (text) =>
          `portico.roots.include in the user settings: ${text} for "*" is ignored, because it is no absolute path here.`,
      ),
    ]);
  });
});
