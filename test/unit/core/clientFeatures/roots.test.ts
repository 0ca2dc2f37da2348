import assert from 'node:assert/strict';
import type { Root } from '@modelcontextprotocol/client';
import { signal } from '@preact/signals-core';
import { rootsFeature } from '../../../../src/core/clientFeatures/roots';
import type { Launch } from '../../../../src/core/config/configTypes';
import type { Connection } from '../../../../src/core/connections/connectionTypes';
import { connectionTo, fixture, script, stopAll } from '../connections/testConnection';
import { eventually, WireTrace } from '../connections/until';

const start = { interactive: false } as const;
const one: Root = { uri: 'file:///one', name: 'one' };
const two: Root = { uri: 'file:///two', name: 'two' };

async function textOf(connection: Connection, tool: string): Promise<string> {
  const { content } = await connection.callTool(tool, {});
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
}

describe('roots', () => {
  const roots = signal<readonly Root[]>([one]);
  let wire: WireTrace;
  beforeEach(() => {
    roots.value = [one];
    wire = new WireTrace();
  });
  afterEach(async () => {
    await stopAll();
    wire.dispose();
  });

  const connect = (launch: Launch): Connection =>
    connectionTo(launch, { dependencies: { features: [rootsFeature({ rootsFor: async () => roots })] } }).connection;
  const traced = (name: string): Launch => ({
    ...(fixture(name) as Extract<Launch, { type: 'stdio' }>),
    env: wire.env,
  });
  const changes = (): number => wire.methods.filter((method) => method === 'notifications/roots/list_changed').length;

  it('are declared, and answered to a server that asks', async () => {
    const connection = connect(script('node_modules/@modelcontextprotocol/server-everything/dist/index.js', 'stdio'));
    await connection.start(start);
    await eventually(() => connection.lists.value.tools.items.some(({ name }) => name === 'get-roots-list'));
    const text = await textOf(connection, 'get-roots-list');
    assert.match(text, /file:\/\/\/one/);
  });

  it('are answered in the stateless era, where servers ask within a call', async () => {
    const connection = connect(traced('stateless.mjs'));
    await connection.start(start);
    roots.value = [one, two];
    assert.match(await textOf(connection, 'askRoots'), /file:\/\/\/one.*file:\/\/\/two/);
    assert.equal(changes(), 0);
  });

  it('tell a session server of a change, and nobody after its end', async () => {
    const connection = connect(traced('plain.mjs'));
    await connection.start(start);
    assert.equal(changes(), 0);
    roots.value = [one, two];
    await eventually(() => changes() === 1);
    await connection.stop();
    roots.value = [two];
    await connection.start(start);
    assert.equal(changes(), 1);
    const initialize = wire.entries.find(({ method }) => method === 'initialize');
    assert.deepEqual(initialize?.params?.['capabilities'], { roots: { listChanged: true } });
  });
});
