import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { realPathIfAny, RealPaths } from '../../../../../src/server/editor/files/realPaths';

describe('RealPaths', () => {
  let folder: string;
  const at = (name: string): string => join(folder, name);
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'portico-real-')));
    ['a', 'b'].forEach((name) => mkdirSync(at(name)));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('keeps where each path led first, as long as it is asked for', async () => {
    const paths = new RealPaths();
    symlinkSync(at('a'), at('link'));
    assert.deepEqual(await paths.of([at('link'), at('b')]), [at('a'), at('b')]);
    rmSync(at('link'));
    symlinkSync(at('b'), at('link'));
    assert.deepEqual(await paths.of([at('link')]), [at('a')]);
    assert.deepEqual(await paths.of([at('b')]), [at('b')]);
    assert.deepEqual(await paths.of([at('link')]), [at('b')]);
  });

  it('looks again for what was not there', async () => {
    const paths = new RealPaths();
    const wanted = [at('later'), at('a'), 'no\0path'];
    assert.deepEqual(await paths.of(wanted), [undefined, at('a'), undefined]);
    symlinkSync(at('b'), at('later'));
    assert.deepEqual(await Promise.all([paths.of(wanted), paths.of(wanted)]), [
      [at('b'), at('a'), undefined],
      [at('b'), at('a'), undefined],
    ]);
    assert.equal(await realPathIfAny('no\0path'), undefined);
  });
});
