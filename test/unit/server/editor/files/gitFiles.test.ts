import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isWorkTree, textIfAny } from '../../../../../src/server/editor/files/worker/gitFiles';

describe('editor files: rules of Git', () => {
  let root: string;
  beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'portico-rules-'))));
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it('are read from files and links to them, and from nothing that might never end', () => {
    writeFileSync(join(root, 'file'), '*.log');
    symlinkSync('file', join(root, 'link'));
    symlinkSync('/dev/zero', join(root, 'device'));
    execFileSync('mkfifo', [join(root, 'pipe')]);
    assert.deepEqual(
      ['file', 'link', 'device', 'pipe', '.', 'none'].map((name) => textIfAny(join(root, name))),
      ['*.log', '*.log', undefined, undefined, undefined, undefined],
    );
  });

  it('hold for no work tree where `.git` is a link in a circle', () => {
    symlinkSync('.git', join(root, '.git'));
    assert.equal(isWorkTree(root), false);
  });
});
