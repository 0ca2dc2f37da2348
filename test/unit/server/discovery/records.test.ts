import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NullLogger } from '../../../../src/base/log';
import { compareVersions, installLauncher, withInstalled } from '../../../../src/server/discovery/launcher';
import { answersAt } from '../../../../src/server/discovery/probe';
import { PublishedRecord } from '../../../../src/server/discovery/publishedRecord';
import { readRecords, recordDirectory } from '../../../../src/server/discovery/recordFiles';
import { someRecord } from './someRecord';

describe('discovery: records', () => {
  let home: string;
  let windows: string;

  beforeEach(() => {
    home = join(mkdtempSync(join(tmpdir(), 'ptest-')), 'home');
    windows = recordDirectory(home);
  });

  afterEach(() => rmSync(join(home, '..'), { recursive: true, force: true }));

  const ids = async (uid = process.getuid?.()): Promise<readonly string[]> =>
    (await readRecords(windows, uid)).map(({ id }) => id);

  it('are the person’s alone, follow changes, and go with their window', async () => {
    const record = someRecord('one', {}, '/work');
    const published = new PublishedRecord(home, record, new NullLogger());
    await published.written;
    assert.deepEqual(await readRecords(windows), [record]);
    assert.equal(statSync(windows).mode & 0o777, 0o700);
    assert.equal(statSync(join(windows, 'one.json')).mode & 0o777, 0o600);
    published.update({ lastFocusedAt: 7 });
    published.update({ isTrusted: false });
    await published.written;
    assert.deepEqual(await readRecords(windows), [{ ...record, lastFocusedAt: 7, isTrusted: false }]);
    published.update({ lastFocusedAt: 8 });
    published.dispose();
    await published.written;
    assert.deepEqual(readdirSync(windows), []);
  });

  it('outlive the window’s record from before a reload, which is let go of late', async () => {
    const before = new PublishedRecord(home, someRecord('one', {}, '/work'), new NullLogger());
    await before.written;
    const next = { ...someRecord('one', {}, '/work'), token: 'next' };
    const after = new PublishedRecord(home, next, new NullLogger());
    await after.written;
    before.dispose();
    assert.deepEqual(await readRecords(windows), [next]);
    after.dispose();
    assert.deepEqual(readdirSync(windows), []);
  });

  it('are not read where others could have written or read them, nor where they are none', async () => {
    mkdirSync(windows, { recursive: true, mode: 0o700 });
    const write = (name: string, text: string, mode = 0o600): void => {
      writeFileSync(join(windows, name), text, { mode });
      chmodSync(join(windows, name), mode);
    };
    write('good.json', JSON.stringify(someRecord('good')));
    write('readable.json', JSON.stringify(someRecord('readable')), 0o640);
    write('writable.json', JSON.stringify(someRecord('writable')), 0o602);
    write('broken.json', '{');
    write('other.json', JSON.stringify({ ...someRecord('other'), version: 2 }));
    write(
      'away.json',
      JSON.stringify({ ...someRecord('away'), address: { kind: 'tcp', host: 'evil.example', port: 1 } }),
    );
    write('huge.json', JSON.stringify(someRecord('huge', { token: 'x'.repeat(3_000_000) })));
    write('notes.txt', JSON.stringify(someRecord('notes')));
    symlinkSync(join(windows, 'good.json'), join(windows, 'link.json'));
    mkdirSync(join(windows, 'directory.json'), { mode: 0o700 });
    // As many as Node has threads for files: each would hold one for good.
    for (const name of ['1', '2', '3', '4']) {
      execFileSync('mkfifo', ['-m', '600', join(windows, `pipe${name}.json`)]);
    }
    assert.deepEqual(await ids(), ['good']);
    assert.deepEqual(await ids(12_345), []);
    chmodSync(windows, 0o770);
    assert.deepEqual(await ids(), []);
    assert.deepEqual(await readRecords(join(home, 'nothing')), []);
  });

  it('count for nothing where nobody could connect to their address or send their token', async () => {
    mkdirSync(windows, { recursive: true, mode: 0o700 });
    const tcp = (port: number) => ({ address: { kind: 'tcp' as const, host: '127.0.0.1' as const, port } });
    const wrong = [
      ...[99_999, -5, 0, 1.5].map(tcp),
      ...['', '/tmp/\0x'].map((path) => ({ address: { kind: 'socket' as const, path } })),
      ...['a\r\nX: y', '漢', ''].flatMap((token) => [{ token }, { clientTokens: { codex: token } }]),
    ];
    const right = [tcp(65_535), tcp(1), {}];
    [...wrong, ...right].forEach((more, index) => {
      const name = String(index).padStart(2, '0');
      writeFileSync(join(windows, `${name}.json`), JSON.stringify(someRecord(name, more)), { mode: 0o600 });
    });
    assert.deepEqual(await ids(), ['12', '13', '14']);
    const answers = await Promise.all(wrong.slice(0, 6).map((more) => answersAt(someRecord('x', more).address)));
    assert.deepEqual(answers.filter(Boolean), []);
  });

  it('is let go of although a pipe has taken its place', async () => {
    const published = new PublishedRecord(home, someRecord('one'), new NullLogger());
    await published.written;
    const path = join(windows, 'one.json');
    rmSync(path);
    execFileSync('mkfifo', ['-m', '600', path]);
    published.dispose();
    assert.deepEqual(readdirSync(windows), ['one.json']);
  });

  it('of windows that nobody listens in any more are removed, those of other machines are not', async () => {
    mkdirSync(windows, { recursive: true, mode: 0o700 });
    const path = join(home, 'live.sock');
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(path, resolve));
    const records = [
      someRecord('dead'),
      someRecord('live', { address: { kind: 'socket', path } }),
      someRecord('elsewhere', { machine: 'container' }),
    ];
    for (const record of records) {
      writeFileSync(join(windows, `${record.id}.json`), JSON.stringify(record), { mode: 0o600 });
    }
    const published = new PublishedRecord(home, someRecord('me'), new NullLogger());
    await published.written;
    assert.deepEqual(await ids(), ['elsewhere', 'live', 'me']);
    published.dispose();
    await new Promise((resolve) => server.close(resolve));
  });
});

describe('discovery: launcher', () => {
  it('knows the newest version', () => {
    const order = ['1.2.3', '1.10.0', '1.2.10', '2.0.0-beta', '2.0.0', '0.9'].sort(compareVersions);
    assert.deepEqual(order, ['0.9', '1.2.3', '1.2.10', '1.10.0', '2.0.0-beta', '2.0.0']);
    const known = withInstalled([{ path: '/a', version: '1.0.0' }], { path: '/b', version: '1.1.0' });
    assert.deepEqual(
      withInstalled(known, { path: '/a', version: '1.2.0' }).map(({ path }) => path),
      ['/a', '/b'],
    );
  });

  it('runs the newest bridge that is still there', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ptest-'));
    const home = join(folder, 'home');
    const bridge = (version: string): string => {
      const path = join(folder, `bridge ${version}.mjs`);
      writeFileSync(path, `process.stdout.write(${JSON.stringify(version)} + process.argv.slice(2).join())`);
      return path;
    };
    let launcher = '';
    for (const version of ['1.9.0', '1.10.0', '1.2.0']) {
      launcher = await installLauncher(home, { path: bridge(version), version });
    }
    const run = () => spawnSync(process.execPath, [launcher, '--gateway'], { encoding: 'utf8' });
    assert.equal(run().stdout, '1.10.0--gateway');
    rmSync(join(folder, 'bridge 1.10.0.mjs'));
    assert.equal(run().stdout, '1.9.0--gateway');
    rmSync(join(folder, 'bridge 1.9.0.mjs'));
    rmSync(join(folder, 'bridge 1.2.0.mjs'));
    const nothing = run();
    assert.deepEqual([nothing.status, nothing.stdout], [1, '']);
    assert.match(nothing.stderr, /not installed any more/);
    assert.equal(existsSync(join(home, 'bridges.json')), true);
    rmSync(join(home, 'bridges.json'));
    execFileSync('mkfifo', ['-m', '600', join(home, 'bridges.json')]);
    assert.match(run().stderr, /not installed any more/);
    await installLauncher(home, { path: bridge('2.0.0'), version: '2.0.0' });
    assert.equal(run().stdout, '2.0.0--gateway');
    for (const damaged of ['{"path":', '{}', 'null']) {
      writeFileSync(join(home, 'bridges.json'), damaged);
      const { status, stderr } = run();
      assert.deepEqual(
        [status, stderr],
        [1, 'bridges.json is damaged. Open the editor: a window that shares with agents writes it anew.\n'],
      );
    }
    writeFileSync(join(home, 'bridges.json'), `[null,{"path":7},{"path":${JSON.stringify(bridge('3.0.0'))}}]`);
    assert.equal(run().stdout, '3.0.0--gateway');
    assert.match(readFileSync(launcher, 'utf8'), /newest Portico/);
    rmSync(folder, { recursive: true, force: true });
  });
});
