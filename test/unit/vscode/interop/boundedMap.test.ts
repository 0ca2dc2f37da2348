import assert from 'node:assert/strict';
import { BoundedFiles } from '../../../../src/vscode/interop/boundedFiles';

const bytes = (count: number) => new Uint8Array(count);

describe('BoundedFiles', () => {
  it('lets the least recently used go, above either bound', () => {
    const files = new BoundedFiles(3, 100);
    for (const path of ['/a/1', '/a/2', '/a/3']) {
      files.set(path, bytes(10), 0);
    }
    files.get('/a/1');
    files.set('/a/4', bytes(10), 0);
    assert.deepEqual(files.names('/a'), ['3', '1', '4']);
    files.set('/b/5', bytes(85), 0);
    assert.deepEqual([files.names('/a'), files.names('/b')], [['4'], ['5']]);
  });

  it('keeps the newest whatever its size, and counts a replaced one once', () => {
    const files = new BoundedFiles(3, 100);
    files.set('/x', bytes(90), 0);
    files.set('/x', bytes(90), 1);
    files.set('/y', bytes(10), 1);
    assert.deepEqual(files.names('/'), ['x', 'y']);
    files.set('/z', bytes(500), 1);
    assert.deepEqual(files.names('/'), ['z']);
  });
});
