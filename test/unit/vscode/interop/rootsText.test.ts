import { deepEqual, equal } from 'node:assert/strict';
import { rootPaths, rootsText } from '../../../../src/vscode/interop/rootsText';

const roots = (...paths: string[]) => paths.map((path) => ({ uri: `file://${path}` }));

describe('rootsText', () => {
  it('names the directories, and no more than fit', () => {
    equal(rootsText([]), 'It is told of no folder.');
    equal(rootsText(roots('/a%20b')), 'It is told of this folder: /a b');
    equal(rootsText(roots('/a', '/b')), 'It is told of these folders: /a, /b');
    equal(
      rootsText(roots('/1', '/2', '/3', '/4', '/5', '/6', '/7', '/8')),
      'It is told of these folders: /1, /2, /3, /4, /5, /6 and 2 more',
    );
  });

  it('writes out what would not be seen', () => {
    deepEqual(rootPaths(roots('/a%E2%80%AEb%0Ac')), ['/a\\u202eb\\u000ac']);
  });
});
