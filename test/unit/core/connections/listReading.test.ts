import assert from 'node:assert/strict';
import { connectionTo, script, tracedConnections } from './testConnection';
import { eventually } from './until';

const start = { interactive: false } as const;

describe('reading lists', () => {
  const { wire, traced } = tracedConnections();
  const lists = (): number => wire.methods.filter((method) => method === 'tools/list').length;

  it('fault 4, 5, 7: no schema hides its neighbours, and what cannot be used is set aside with its reason', async () => {
    const { connection } = traced('oddSchemas.mjs');
    await connection.start(start);
    const { tools, resources, templates, prompts } = connection.lists.value;
    assert.deepEqual(
      tools.items.map(({ name }) => name),
      ['booleans', 'recursive', 'dangling', 'draft04', 'format', 'remote', 'kept', 'mistyped', 'last'],
    );
    assert.deepEqual(
      tools.setAside.map(({ name, problem }) => [name, problem.message]),
      [
        ['(no name)', 'The tool has no name.'],
        ['(no name)', 'The tool has no name.'],
        ['noSchema', 'The tool "noSchema" has no "inputSchema" that is an object.'],
        ['listSchema', 'The tool "listSchema" has no "inputSchema" that is an object.'],
        ['(no name)', 'The entry is not an object.'],
        ['(no name)', 'The entry is not an object.'],
      ],
    );
    assert.deepEqual(
      tools.items.find(({ name }) => name === 'kept'),
      {
        name: 'kept',
        inputSchema: { type: 'object' },
        title: 'Kept',
        icons: [{ src: 'x' }],
        _meta: { a: 1 },
        unheardOf: true,
      },
    );
    assert.deepEqual(
      tools.items.find(({ name }) => name === 'mistyped'),
      { name: 'mistyped', inputSchema: { type: 'object' } },
    );
    assert.deepEqual(resources.items, [
      { uri: 'a://1', name: 'one', size: 3 },
      { uri: 'a://2', name: 'a://2' },
    ]);
    assert.deepEqual(
      resources.setAside.map(({ name }) => name),
      ['nowhere'],
    );
    assert.deepEqual([templates.items, templates.problem], [[], undefined]);
    assert.deepEqual(
      prompts.items.map(({ name }) => name),
      ['good'],
    );
    assert.deepEqual(
      prompts.setAside.map(({ name }) => name),
      ['bad', '(no name)'],
    );
  });

  it('asks for nothing that the server does not declare', async () => {
    const { connection } = traced('plain.mjs');
    await connection.start(start);
    assert.deepEqual(
      wire.methods.filter((method) => method.endsWith('/list')),
      ['tools/list'],
    );
  });

  for (const [habit, code, count] of [
    ['repeat', 'LIST_REPEATS', 4],
    ['endless', 'LIST_ENDLESS', 2],
    ['fail', '-32603', 3],
    ['numeric', 'LIST_INVALID', 2],
    ['good', undefined, 71],
  ] as const) {
    it(`reads every page to the end: ${habit}`, async () => {
      const { connection } = traced('cursors.mjs', [habit]);
      await connection.start(start);
      const { tools } = connection.lists.value;
      assert.equal(tools.problem?.code, code);
      assert.equal(tools.items.length, count);
      assert.equal(tools.items.filter(({ name }) => name === 'shared').length, 1);
    });
  }

  it('fault 40: a storm of changes costs at most two requests, and the last list stays', async () => {
    const { connection } = traced('changeStorm.mjs');
    await connection.start(start);
    const before = lists();
    await connection.callTool('storm', {});
    await eventually(() => connection.lists.value.tools.items.some(({ name }) => name === 'v200'));
    assert.equal(lists() - before <= 2, true, `${lists() - before} requests`);
  });

  it('fault 40: a server that notifies on every list is slowed down', async () => {
    const { connection } = traced('changeStorm.mjs', ['loop'], {
      tuning: { refresh: { quietMs: 5, longestWaitMs: 20, leastGapMs: 20, mostGapMs: 10_000 } },
    });
    await connection.start(start);
    await eventually(() => lists() >= 5);
    const times = lists();
    assert.equal(times <= 7, true);
    assert.equal(connection.state.value.kind, 'ready');
  });

  it('lists server-everything, whose list changes right after the handshake', async () => {
    const { connection } = connectionTo(script('node_modules/@modelcontextprotocol/server-everything/dist/index.js'));
    await connection.start(start);
    assert.equal(connection.lists.value.resources.items.length, 7);
    await connection.refresh(start);
    assert.equal(connection.lists.value.tools.from, 'server');
  });
});
