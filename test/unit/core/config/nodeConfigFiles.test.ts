import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeConfigFiles } from '../../../../src/core/config/nodeConfigFiles';

describe('nodeConfigFiles', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'portico-config-'));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  /** Runs a step and waits until the watch has told of a change. */
  function watching(path: string) {
    let told: () => void = () => undefined;
    const watch = nodeConfigFiles.watch(path, () => told());
    return {
      dispose: () => watch.dispose(),
      async after(step: () => void): Promise<string | undefined> {
        const change = new Promise<void>((resolve) => {
          told = resolve;
        });
        step();
        await change;
        return nodeConfigFiles.read(path);
      },
    };
  }

  it('reads nothing where there is no file, and rejects what it may not read', async () => {
    assert.equal(await nodeConfigFiles.read(join(root, 'none', '.mcp.json')), undefined);
    await assert.rejects(nodeConfigFiles.read(root), { code: 'EISDIR' });
  });

  it('takes no pipe or device for a file, unless a pipe is what may be there', async () => {
    const pipe = join(root, '.mcp.json');
    const device = join(root, 'mcp.json');
    execFileSync('mkfifo', [pipe]);
    symlinkSync('/dev/zero', device);
    const failure = { message: 'it is a pipe or device, not a file' };
    await assert.rejects(nodeConfigFiles.read(pipe), failure);
    await assert.rejects(nodeConfigFiles.read(device), failure);
    const text = nodeConfigFiles.read(pipe, true);
    writeFileSync(pipe, 'KEY=1');
    assert.equal(await text, 'KEY=1');
  });

  it('reads no more than any configuration has, of a file or of what never ends', async () => {
    const path = join(root, '.mcp.json');
    writeFileSync(path, 'x'.repeat(16 * 1_024 * 1_024));
    assert.equal((await nodeConfigFiles.read(path))?.length, 16 * 1_024 * 1_024);
    appendFileSync(path, 'x');
    const failure = { message: 'it is larger than 16 MB' };
    await assert.rejects(nodeConfigFiles.read(path), failure);
    await assert.rejects(nodeConfigFiles.read('/dev/zero', true), failure);
  });

  it('sees a file written, replaced by another, deleted and made again', async () => {
    const path = join(root, '.mcp.json');
    const watch = watching(path);
    assert.equal(await watch.after(() => writeFileSync(path, '1')), '1');
    writeFileSync(join(root, 'new'), '2');
    assert.equal(await watch.after(() => renameSync(join(root, 'new'), path)), '2');
    assert.equal(await watch.after(() => rmSync(path)), undefined);
    assert.equal(await watch.after(() => writeFileSync(path, '3')), '3');
    watch.dispose();
  });

  it('sees a file in a folder that is made later, deleted and made again', async () => {
    const folder = join(root, 'deep', '.vscode');
    const path = join(folder, 'mcp.json');
    const watch = watching(path);
    const make = (text: string) => () => {
      mkdirSync(folder, { recursive: true });
      writeFileSync(path, text);
    };
    assert.equal(await watch.after(make('1')), '1');
    await watch.after(() => rmSync(join(root, 'deep'), { recursive: true }));
    assert.equal(await watch.after(make('2')), '2');
    watch.dispose();
  });

  it('sees the change of a file that is a link', async () => {
    mkdirSync(join(root, 'dotfiles'));
    const target = join(root, 'dotfiles', 'mcp.json');
    writeFileSync(target, '1');
    symlinkSync(target, join(root, 'mcp.json'));
    const watch = watching(join(root, 'mcp.json'));
    assert.equal(await watch.after(() => writeFileSync(target, '2')), '2');
    watch.dispose();
  });
});
