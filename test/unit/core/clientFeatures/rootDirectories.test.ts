import assert from 'node:assert/strict';
import { effect, signal } from '@preact/signals-core';
import { RootDirectories } from '../../../../src/core/clientFeatures/rootDirectories';
import { boundedPresence } from '../../../../src/core/clientFeatures/rootPresence';
import { definitionOf, FakeLogger } from '../connections/testConnection';
import { eventually } from '../connections/until';
import { folder, layer, rootSettings, stdio, virtual } from './rootFixtures';

describe('directories of roots', () => {
  const server = definitionOf(stdio, { id: 'fs', key: 'fs' });
  const log = new FakeLogger();
  const settings = signal(rootSettings());
  let missing: string[];
  let directories: RootDirectories;
  beforeEach(() => {
    missing = [];
    log.lines.length = 0;
    settings.value = rootSettings({ folders: [folder('/w/a')] });
    directories = new RootDirectories(settings, async (path) => !missing.includes(path), log);
  });
  afterEach(() => directories.dispose());

  it('fault 53: leave out what is not there, and look again whenever they are asked for', async () => {
    missing = ['/w/b', '/lib'];
    settings.value = rootSettings({
      folders: [folder('/w/a'), virtual, folder('/w/b')],
      include: [layer({ fs: ['/lib'] })],
    });
    const roots = await directories.rootsFor(server);
    assert.deepEqual(roots.value, [{ uri: 'file:///w/a', name: 'a' }]);
    missing = ['/w/b'];
    assert.equal(await directories.rootsFor(server), roots);
    assert.deepEqual(roots.value, [
      { uri: 'file:///w/a', name: 'a' },
      { uri: 'file:///lib', name: 'lib' },
    ]);
  });

  it('change once for each change, and not where nothing changes for the server', async () => {
    const roots = await directories.rootsFor(server);
    const seen: string[] = [];
    const stop = effect(() => void seen.push(roots.value.map(({ name }) => name).join()));
    const set = async (more: Parameters<typeof rootSettings>[0]) => {
      settings.value = rootSettings(more);
      await directories.rootsFor(server);
    };
    const two = [folder('/w/a'), folder('/w/b')];
    await set({ folders: two });
    await set({ folders: two, include: [layer({ other: ['/lib'] })] });
    await set({ folders: [...two, virtual] });
    await set({ folders: [folder('/w/a'), folder('/w/b', 'renamed')] });
    await set({ folders: two, exclude: [layer({ fs: ['/w/a'] })] });
    await set({ folders: [] });
    stop();
    assert.deepEqual(seen, ['a', 'a,b', 'a,renamed', 'b', '']);
  });

  it('follow the settings by themselves, each server with its own', async () => {
    const mine = await directories.rootsFor(server);
    const other = await directories.rootsFor({ ...server, key: 'other' });
    assert.notEqual(mine, other);
    settings.value = rootSettings({ folders: [folder('/w/a')], include: [layer({ other: ['/lib'] })] });
    await eventually(() => other.value.length === 2);
    assert.equal(mine.value.length, 1);
  });

  it('say once what they ignore', () => {
    const include = [layer({ fs: 'x' })];
    settings.value = rootSettings({ include });
    settings.value = rootSettings({ include, folders: [folder('/w/a')] });
    assert.equal(log.lines.length, 1, log.lines.join('\n'));
  });

  it('wait for no directory that does not answer', async () => {
    let due: () => void = () => assert.fail('nothing waits');
    let asked = 0;
    const clock = { now: () => 0, after: (_: number, run: () => void) => ((due = run), { dispose: () => undefined }) };
    const isDirectory = boundedPresence(() => ((asked += 1), new Promise(() => undefined)), clock);
    for (let round = 0; round < 2; round += 1) {
      const answer = isDirectory('/dead');
      due();
      assert.equal(await answer, false);
    }
    assert.equal(asked, 1);
    const real = boundedPresence();
    assert.deepEqual(await Promise.all([real('test'), real('package.json'), real('no such thing')]), [
      true,
      false,
      false,
    ]);
  });
});
