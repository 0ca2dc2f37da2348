import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { LocalFiles } from '../../../../../src/server/editor/files/localFiles';
import { PathGate } from '../../../../../src/server/editor/files/pathGate';
import { eventually } from '../../../core/connections/until';
import { TemporaryWorkspace } from './temporaryWorkspace';

describe('LocalFiles', () => {
  let ws: TemporaryWorkspace;
  let file: string;
  before(function () {
    if (process.platform !== 'linux') {
      // No other system says of an open file where it is.
      this.skip();
    }
  });
  beforeEach(() => {
    ws = new TemporaryWorkspace(['ws', 'outside'], {
      'ws/src/a.ts': 'a',
      'ws/src/b.ts': 'b',
      'ws/src/.env': 'SECRET',
      'outside/a.ts': 'SECRET',
    });
    ws.folders.value = [ws.folder('ws')];
    file = ws.path('ws/src/a.ts');
  });
  afterEach(() => ws.dispose());

  /** Files of which the directory of `a.ts` is known. */
  async function knowing(): Promise<LocalFiles> {
    const files = new LocalFiles('linux');
    await eventually(() => {
      files.see(file, statSync(file).dev);
      return isOpened(files, file);
    });
    return files;
  }

  function isOpened(files: LocalFiles, path: string): boolean {
    const opened = files.open(path);
    opened?.close();
    return opened !== undefined;
  }

  it('opens what lies in a directory that was seen, and there alone', async () => {
    const files = await knowing();
    const opened = files.open(ws.path('ws/src/b.ts'));
    assert.equal(opened && new TextDecoder().decode(await opened.bytes(0, 10)), 'b');
    opened?.close();
    assert.equal(isOpened(files, ws.path('outside/a.ts')), false);
    assert.equal(isOpened(files, ws.path('ws/src/none.ts')), false);
  });

  it('opens nothing that has a link on its way by now, and no pipe', async () => {
    const files = await knowing();
    rmSync(ws.path('ws/src/b.ts'));
    ws.link('ws/src/b.ts', file);
    execFileSync('mkfifo', [ws.path('ws/src/pipe')]);
    assert.equal(isOpened(files, ws.path('ws/src/b.ts')), false);
    assert.equal(isOpened(files, ws.path('ws/src/pipe')), false);
    renameSync(dirname(file), ws.path('ws/old'));
    ws.link('ws/src', ws.path('outside'));
    assert.equal(isOpened(files, file), false);
    rmSync(ws.path('ws/src'));
    renameSync(ws.path('ws/old'), ws.path('ws/src'));
    assert.equal(isOpened(files, file), true);
  });

  it('opens nothing where the system does not say where an open file is, nor on a device that nobody knows', async () => {
    const files = new LocalFiles('darwin');
    files.see(file, statSync(file).dev);
    const other = new LocalFiles('linux');
    // The file system of processes is none of a disk.
    other.see('/proc/self/status', statSync('/proc/self/status').dev);
    await knowing();
    files.see(file, statSync(file).dev);
    other.see('/proc/self/status', statSync('/proc/self/status').dev);
    assert.deepEqual([isOpened(files, file), isOpened(other, '/proc/self/status')], [false, false]);
  });

  it('is no way past the gate', async () => {
    const gate = new PathGate({ folders: ws.folders, settings: ws.settings }, 'linux');
    async function read(name: string): Promise<string | undefined> {
      const { opened } = await gate.resolveOpen(name);
      const text = opened && new TextDecoder().decode(await opened.bytes(0, 10));
      opened?.close();
      return text;
    }
    for (let look = 0; look < 3; look += 1) {
      assert.equal(await read('src/a.ts'), 'a');
      await assert.rejects(read('src/.env'), { code: 'RESOURCE_UNKNOWN' });
      await assert.rejects(read(ws.path('outside/a.ts')), { code: 'RESOURCE_UNKNOWN' });
      assert.equal(await read('src/none.ts'), undefined);
      const [slow, quick] = [await gate.resolve('src/a.ts'), await gate.resolveOpen('src/a.ts')];
      quick.opened?.close();
      assert.deepEqual(quick.place, slow);
    }
    renameSync(ws.path('ws/src'), ws.path('ws/old'));
    ws.link('ws/src', ws.path('outside'));
    await assert.rejects(read('src/a.ts'), { code: 'RESOURCE_UNKNOWN' });
  });
});
