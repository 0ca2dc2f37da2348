import assert from 'node:assert/strict';
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OpenedFile } from '../../../../../src/server/editor/files/openedFile';

describe('OpenedFile', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'portico-opened-')));
    mkdirSync(join(folder, 'a'));
    path = join(folder, 'a', 'x.txt');
    writeFileSync(path, 'one two');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('gives any part of a file, and fewer bytes where it ends before', async () => {
    const file = await OpenedFile.open(path);
    const text = async (start: number, length: number) => new TextDecoder().decode(await file.bytes(start, length));
    assert.deepEqual([file.isFile, file.size], [true, 7]);
    assert.deepEqual([await text(0, 7), await text(4, 100), await text(9, 1)], ['one two', 'two', '']);
    file.close();
  });

  it('opens neither a link nor what is not there, and says of a directory that it is none', async () => {
    symlinkSync(path, join(folder, 'link'));
    await assert.rejects(OpenedFile.open(join(folder, 'link')), { code: 'ELOOP' });
    await assert.rejects(OpenedFile.open(join(folder, 'none')), { code: 'ENOENT' });
    const directory = await OpenedFile.open(folder);
    assert.equal(directory.isFile, false);
    directory.close();
  });

  // The other systems do not say where an open file is.
  for (const platform of ['linux', 'darwin', 'win32'] as const) {
    it(`tells whether it still lies where it was opened (${platform})`, async () => {
      const file = await OpenedFile.open(path);
      assert.equal(await file.isAt(path, platform), true);
      renameSync(join(folder, 'a'), join(folder, 'b'));
      symlinkSync(join(folder, 'b'), join(folder, 'a'));
      // The same file, but by a link.
      assert.equal(await file.isAt(path, platform), false);
      rmSync(join(folder, 'a'));
      mkdirSync(join(folder, 'a'));
      writeFileSync(path, 'another');
      assert.equal(await file.isAt(path, platform), false);
      file.close();
    });
  }

  it('is told by the file that is open alone where the system does, not by what its path leads to later', async () => {
    mkdirSync(join(folder, 'outside'));
    writeFileSync(join(folder, 'outside', 'x.txt'), 'secret');
    renameSync(join(folder, 'a'), join(folder, 'away'));
    symlinkSync(join(folder, 'outside'), join(folder, 'a'));
    const file = await OpenedFile.open(path);
    rmSync(join(folder, 'a'));
    mkdirSync(join(folder, 'a'));
    // The same file at the path that was let pass.
    linkSync(join(folder, 'outside', 'x.txt'), path);
    assert.equal(await file.isAt(path, 'linux'), false);
    file.close();
  });

  it('has another stamp than a file of the same size and time that is put in its place', async () => {
    const stamp = async (): Promise<string> => {
      utimesSync(path, 1, 1);
      const file = await OpenedFile.open(path);
      file.close();
      return file.stamp;
    };
    const before = await stamp();
    writeFileSync(join(folder, 'next'), 'two one');
    renameSync(join(folder, 'next'), path);
    const after = await stamp();
    assert.deepEqual([before.split(' ', 2), before === after], [after.split(' ', 2), false]);
  });

  it('counts as where it was when another has been saved over it', async () => {
    const file = await OpenedFile.open(path);
    writeFileSync(join(folder, 'next'), 'three');
    renameSync(join(folder, 'next'), path);
    assert.equal(await file.isAt(path, 'linux'), true);
    assert.equal(await file.isAt(path, 'darwin'), false);
    rmSync(path);
    assert.equal(await file.isAt(path, 'linux'), true);
    await assert.rejects(file.isAt(path, 'darwin'), { code: 'ENOENT' });
    file.close();
  });
});
