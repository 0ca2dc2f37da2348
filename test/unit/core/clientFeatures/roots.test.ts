import assert from 'node:assert/strict';
import type { Root } from '@modelcontextprotocol/client';
import { signal } from '@preact/signals-core';
import { NullLogger } from '../../../../src/base/log';
import { RootDirectories } from '../../../../src/core/clientFeatures/rootDirectories';
import { rootsFeature } from '../../../../src/core/clientFeatures/roots';
import type { Launch } from '../../../../src/core/config/configTypes';
import type { Connection } from '../../../../src/core/connections/connectionTypes';
import { connectionTo, fixture, script, stopAll } from '../connections/testConnection';
import { eventually, WireTrace } from '../connections/until';
import { folder, layer, rootSettings, virtual } from './rootFixtures';

const start = { interactive: false } as const;

async function textOf(connection: Connection, tool: string): Promise<string> {
  const { content } = await connection.callTool(tool, {});
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
}

describe('roots', () => {
  const one = folder('/w/one');
  const two = folder('/w/two');
  const settings = signal(rootSettings());
  let wire: WireTrace;
  let directories: RootDirectories;
  let missing: readonly string[];
  beforeEach(() => {
    missing = [];
    settings.value = rootSettings({ folders: [one] });
    wire = new WireTrace();
    directories = new RootDirectories(settings, async (path) => !missing.includes(path), new NullLogger());
  });
  afterEach(async () => {
    await stopAll();
    directories.dispose();
    wire.dispose();
  });

  const connect = (launch: Launch): Connection =>
    connectionTo(launch, { dependencies: { features: [rootsFeature(directories)] } }).connection;
  const traced = (name: string): Launch => ({
    ...(fixture(name) as Extract<Launch, { type: 'stdio' }>),
    env: wire.env,
  });
  const changes = (): number => wire.methods.filter((method) => method === 'notifications/roots/list_changed').length;
  const answers = (): readonly (readonly string[])[] =>
    wire.entries.flatMap((entry) => {
      const { roots } = (entry as { readonly result?: { readonly roots?: readonly Root[] } }).result ?? {};
      return roots ? [roots.map(({ name }) => name ?? '')] : [];
    });

  it('are declared, and answered to a server that asks', async () => {
    const connection = connect(script('node_modules/@modelcontextprotocol/server-everything/dist/index.js', 'stdio'));
    await connection.start(start);
    await eventually(() => connection.lists.value.tools.items.some(({ name }) => name === 'get-roots-list'));
    assert.match(await textOf(connection, 'get-roots-list'), /file:\/\/\/w\/one/);
  });

  it('are answered in the stateless era, where servers ask within a call and are told of no change', async () => {
    const connection = connect(traced('stateless.mjs'));
    await connection.start(start);
    settings.value = rootSettings({ folders: [one, two] });
    assert.match(await textOf(connection, 'askRoots'), /file:\/\/\/w\/one.*file:\/\/\/w\/two/);
    settings.value = rootSettings({ folders: [two] });
    assert.doesNotMatch(await textOf(connection, 'askRoots'), /file:\/\/\/w\/one/);
    assert.equal(changes(), 0);
  });

  it('fault 53: are asked for again, once, after each change of folders and settings', async () => {
    const connection = connect(traced('asksRoots.mjs'));
    await connection.start(start);
    await eventually(() => answers().length === 1);
    const steps: readonly (readonly [Parameters<typeof rootSettings>[0], readonly string[]])[] = [
      [{ folders: [one, two] }, ['one', 'two']],
      [{ folders: [one, { ...two, name: 'renamed' }] }, ['one', 'renamed']],
      [{ folders: [one, { ...two, name: 'renamed' }], exclude: [layer({ srv: ['/w/one'] })] }, ['renamed']],
      [{ folders: [], include: [layer({ '*': ['/lib'] })] }, ['lib']],
      [{ folders: [] }, []],
    ];
    for (const [index, [more, expected]] of steps.entries()) {
      settings.value = rootSettings(more);
      await eventually(() => answers().length === index + 2);
      assert.deepEqual(answers().at(-1), expected);
      // Nothing that this server is told of.
      settings.value = rootSettings({ ...more, folders: [...(more?.folders ?? []), virtual] });
    }
    await connection.callTool('echo', {});
    assert.equal(changes(), steps.length);
    assert.equal(answers().length, steps.length + 1);
  });

  it('fault 53: leave out a folder that has gone from the disk', async () => {
    settings.value = rootSettings({ folders: [one, two] });
    const connection = connect(traced('asksRoots.mjs'));
    await connection.start(start);
    await eventually(() => answers().length === 1);
    missing = ['/w/two'];
    settings.value = rootSettings({ folders: [one, { ...two, name: 'gone' }] });
    await eventually(() => answers().length === 2);
    assert.deepEqual(answers(), [['one', 'two'], ['one']]);
    assert.equal(changes(), 1);
  });

  it('tell a session server of a change, and nobody after its end', async () => {
    const connection = connect(traced('plain.mjs'));
    await connection.start(start);
    assert.equal(changes(), 0);
    settings.value = rootSettings({ folders: [one, two] });
    await eventually(() => changes() === 1);
    await connection.stop();
    settings.value = rootSettings({ folders: [two] });
    await connection.start(start);
    assert.equal(changes(), 1);
    const initialize = wire.entries.find(({ method }) => method === 'initialize');
    assert.deepEqual(initialize?.params?.['capabilities'], { roots: { listChanged: true } });
  });
});
