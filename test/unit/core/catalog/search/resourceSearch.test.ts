import assert from 'node:assert/strict';
import type { Resource } from '@modelcontextprotocol/client';
import { TimeSlices } from '../../../../../src/base/timeSlices';
import type { CatalogEntry } from '../../../../../src/core/catalog/catalogTypes';
import { searchResources } from '../../../../../src/core/catalog/search/resourceSearch';

const entry = (uri: string, more: Partial<Resource> = {}, server = 's'): CatalogEntry<Resource> => ({
  server,
  key: server,
  item: { uri, name: '', ...more },
});

async function found(entries: readonly CatalogEntry<Resource>[], query: string, limit = 200): Promise<string[]> {
  return (await searchResources([entries], query, limit)).map(({ item }) => item.uri);
}

describe('resource search', () => {
  it('ranks beginnings of names over their words, over parts, over URIs, over descriptions', async () => {
    const entries = [
      entry('1', { description: 'About the harbour.' }),
      entry('x://harbour/2'),
      entry('3', { name: 'inharbour' }),
      entry('4', { name: 'The harbour' }),
      entry('5', { name: 'Harbours' }),
      entry('6', { title: 'Harbour master' }),
      entry('7', { name: 'x', title: 'Harbour' }),
      entry('8', { name: 'ship' }),
    ];
    assert.deepEqual(await found(entries, 'harbour'), ['7', '5', '6', '4', '3', 'x://harbour/2', '1']);
    assert.deepEqual(await found(entries, 'HARBOUR', 2), ['7', '5']);
    assert.deepEqual(await found(entries, 'harbour', 0), []);
  });

  it('takes the best place of a word that stands several times', async () => {
    const entries = [
      entry('1', { name: 'xaba' }),
      entry('2', { name: 'xab ab' }),
      entry('3', { name: 'xab', title: 'ab' }),
    ];
    assert.deepEqual(await found(entries, 'ab'), ['3', '2', '1']);
  });

  it('wants every word, each in whatever field', async () => {
    const entries = [
      entry('x://ships/1', { name: 'Log', description: 'of the harbour' }),
      entry('x://ships/2', { name: 'Log' }),
      entry('x://cars/3', { name: 'Log', description: 'of the harbour' }),
    ];
    assert.deepEqual(await found(entries, ' harbour  log\tships '), ['x://ships/1']);
    assert.deepEqual(await found(entries, 'log log'), ['x://ships/1', 'x://ships/2', 'x://cars/3']);
    assert.deepEqual(await found(entries, 'log none'), []);
  });

  it('does not find a text across two fields', async () => {
    assert.deepEqual(await found([entry('cd', { name: 'ab', title: 'bc' })], 'abbc'), []);
  });

  it('finds without case and diacritics, in both directions', async () => {
    const entries = [
      entry('1', { name: 'Réunion' }),
      entry('2', { name: 'REUNION' }),
      entry('3', { name: 'ｒｅｕｎｉｏｎ' }),
    ];
    for (const query of ['réunion', 'reunion', 'RÉUNION']) {
      assert.deepEqual(await found(entries, query), ['1', '2', '3']);
    }
  });

  it('finds a URI as it is written and as it is read', async () => {
    const entries = [entry('KB://Docs/R%C3%A9sum%C3%A9 1'), entry('x://100%'), entry('x://%FFq')];
    assert.deepEqual(await found(entries, 'kb://Docs/R%C3%A9sum%C3%A9 1'), ['KB://Docs/R%C3%A9sum%C3%A9 1']);
    assert.deepEqual(await found(entries, 'resume'), ['KB://Docs/R%C3%A9sum%C3%A9 1']);
    assert.deepEqual(await found(entries, '100%'), ['x://100%']);
    assert.deepEqual(await found(entries, '%ffq'), ['x://%FFq']);
  });

  it('gives the first ones for an empty query, server by server', async () => {
    const lists = [[entry('a', {}, '1'), entry('b', {}, '1')], [], [entry('a', {}, '2')]];
    const hits = await searchResources(lists, '  ', 200);
    assert.deepEqual(
      hits.map(({ server, item }) => [server, item.uri]),
      [
        ['1', 'a'],
        ['1', 'b'],
        ['2', 'a'],
      ],
    );
    assert.equal((await searchResources(lists, '', 2)).length, 2);
  });

  it('takes any query and any text', async () => {
    const entries = [entry('u', { name: '(a+)+$ [x] \\ *', description: 'y'.repeat(1_000_000) })];
    assert.deepEqual(await found(entries, '(a+)+$ \\ *'), ['u']);
    for (const query of ['.*', '\u0000', '\ud800', 'q'.repeat(1_000_000), Array(5_000).fill('w').join(' ')]) {
      assert.deepEqual(await found(entries, query), []);
    }
  });

  it('indexes a list of 100,000 once, and lets others have their turn', async function () {
    this.timeout(60_000);
    let read = 0;
    const entries = Array.from({ length: 100_000 }, (_, index) => {
      const item = { uri: `db://rows/${index}`, name: `Row ${index}`, description: 'A row of the harbour table.' };
      return {
        server: 's',
        key: 's',
        get item() {
          read += 1;
          return item;
        },
      };
    });
    let turns = 0;
    let time = 0;
    const slices = new TimeSlices(
      () => (time += 0.1),
      async () => {
        turns += 1;
      },
    );
    const rows = await searchResources([entries], 'harbour row 4242', 10, slices);
    assert.equal(read, 100_000);
    // Two passes, each with a turn about every hundred entries.
    assert.ok(turns > 1_900, `${turns} turns`);
    assert.equal(rows[0]?.item.name, 'Row 4242');
    assert.equal(rows.length, 10);
    read = 0;
    assert.equal((await searchResources([entries], 'row', 200)).length, 200);
    assert.equal((await searchResources([entries], 'nothing', 200)).length, 0);
    assert.equal(read, 0);
  });
});
