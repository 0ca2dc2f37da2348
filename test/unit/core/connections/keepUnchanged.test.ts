import assert from 'node:assert/strict';
import type { Tool } from '@modelcontextprotocol/client';
import { TimeSlices } from '../../../../src/base/timeSlices';
import type { ServerList, SetAside } from '../../../../src/core/connections/connectionTypes';
import { keepUnchanged } from '../../../../src/core/connections/keepUnchanged';

const tool = (name: string, more: object = {}): Tool => ({
  name,
  inputSchema: { type: 'object', properties: { a: { enum: [1, null, 'x'] } } },
  ...more,
});
const list = (items: readonly Tool[], setAside: readonly SetAside[] = []): ServerList<Tool> => ({
  from: 'server',
  items,
  setAside,
});
const keep = (before: ServerList<Tool>, next: ServerList<Tool>): Promise<ServerList<Tool>> =>
  keepUnchanged(before, structuredClone(next), ({ name }) => name);

describe('keepUnchanged', () => {
  it('gives the list of before where nothing is new', async () => {
    const before = list([tool('a'), tool('b')], [{ name: 'c', problem: { code: 'X', message: 'no' }, raw: [1] }]);
    assert.equal(await keep(before, before), before);
    const cached: ServerList<Tool> = { ...before, from: 'cache' };
    const kept = await keep(cached, before);
    assert.equal(kept.from, 'server');
    assert.equal(kept.items, before.items);
    assert.equal(kept.setAside, before.setAside);
  });

  it('keeps each item that says the same, wherever it stands now', async () => {
    const [a, b, c] = [tool('a'), tool('b'), tool('c')];
    const before = list([a, b, c]);
    const { items } = await keep(before, list([tool('new'), c, tool('b', { title: 'B' }), a]));
    assert.equal(items[1], c);
    assert.equal(items[3], a);
    assert.deepEqual(items[2], tool('b', { title: 'B' }));
    assert.notEqual(items[2], b);
  });

  it('sees every kind of change', async () => {
    const sent = (value: unknown): Tool => tool('a', { _meta: { value } });
    const values = [
      {},
      { x: undefined },
      [],
      [[]],
      [1],
      [2],
      [1, 1],
      1,
      '1',
      true,
      null,
      { a: 1 },
      { b: 1 },
      { a: 1, b: 1 },
    ];
    for (const [index, one] of values.entries()) {
      for (const [other, another] of values.entries()) {
        const kept = await keep(list([sent(one)]), list([sent(another)]));
        assert.deepEqual(kept.items, [sent(another)], `${index} to ${other}`);
      }
    }
    const named = (name: string): unknown => JSON.parse(`{"${name}":{}}`);
    for (const name of ['__proto__', 'constructor', 'toString']) {
      const kept = await keep(list([sent(named(name))]), list([sent(named('x'))]));
      assert.deepEqual(kept.items, [sent(named('x'))], name);
    }
    const ordered = list([tool('a', { _meta: { x: 1, y: 2 } })]);
    assert.equal(await keep(ordered, list([tool('a', { _meta: { y: 2, x: 1 } })])), ordered);
    assert.notEqual(await keep(ordered, { ...ordered, problem: { code: 'X', message: 'a page is missing' } }), ordered);
  });

  it('lets others have their turn', async () => {
    const long = list(Array.from({ length: 50 }, (_, index) => tool(`t${index}`)));
    let now = 0;
    let turns = 0;
    const slices = new TimeSlices(
      () => (now += 1),
      async () => {
        turns += 1;
      },
    );
    assert.equal(await keepUnchanged(long, structuredClone(long), ({ name }) => name, slices), long);
    assert.ok(turns >= 4, `${turns} turns`);
  });
});
