import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
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
    assert.deepEqual(await ids(), ['good']);
    assert.deepEqual(await ids(12_345), []);
    chmodSync(windows, 0o770);
    assert.deepEqual(await ids(), []);
    assert.deepEqual(await readRecords(join(home, 'nothing')), []);
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
    assert.match(readFileSync(launcher, 'utf8'), /newest Portico/);
    rmSync(folder, { recursive: true, force: true });
  });
});
