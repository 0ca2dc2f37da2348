import assert from 'node:assert/strict';
import { signal } from '@preact/signals-core';
import { TimeSlices } from '../../../../src/base/timeSlices';
import { createCatalog } from '../../../../src/core/catalog/catalog';
import type { Catalog } from '../../../../src/core/catalog/catalogTypes';
import { ToolSearch } from '../../../../src/core/catalog/search/toolSearch';
import { lists, server, tool } from './catalogFixtures';

describe('tool search', () => {
  const github = server('github', [
    tool('create_issue', { description: 'Opens a new issue in a repository.' }),
    tool('listPullRequests', { description: 'Lists pull requests.' }),
    tool('search', { description: 'Searches code.' }),
  ]);
  const files = server('files', [
    tool('read_file', {
      description: 'Reads a text file.',
      inputSchema: { type: 'object', properties: { encodingName: {} } },
    }),
    tool('search', { description: 'Finds files by a pattern.' }),
  ]);
  const catalog = createCatalog(signal([github, files]));
  const first = async (query: string) => (await catalog.search(query))[0]?.tool.exposedName;

  it('finds by name, words of the name, description, arguments and server', async () => {
    assert.equal(await first('open an issue'), 'github_create_issue');
    assert.equal(await first('pull requests'), 'github_listPullRequests');
    assert.equal(await first('encoding'), 'files_read_file');
    assert.equal(await first('search on github'), 'github_search');
    assert.equal(await first('reading files'), 'files_read_file');
  });

  it('puts an exact name first', async () => {
    assert.equal(await first('files_search'), 'files_search');
    assert.equal(await first('listpullrequests'), 'github_listPullRequests');
  });

  it('respects the limit and follows the catalog', async () => {
    assert.equal((await catalog.search('search', 1)).length, 1);
    files.lists.value = lists([tool('zebra_stripes')]);
    assert.equal(await first('zebra'), 'files_zebra_stripes');
    assert.ok(!(await catalog.search('encoding')).some(({ tool: hit }) => hit.ref.name === 'read_file'));
  });

  it('never throws on odd queries', async () => {
    for (const query of ['', '   ', '\0', '((((', '🎉', 'a'.repeat(100_000), '__proto__ constructor', '"', '日本語']) {
      assert.ok(Array.isArray(await catalog.search(query)));
    }
    assert.deepEqual(await catalog.search('issue', 0), []);
  });

  it('ranks a list that grew, shrank and changed as one that was so from the start', async () => {
    const many = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, index) =>
        tool(`row_${from + index}`, { description: `Row of ${index % 7}` }),
      );
    const ranked = async (some: Catalog) =>
      Promise.all(
        ['row', 'row 5', 'row_12', 'of 3'].map(async (query) =>
          (await some.search(query)).map(({ tool: { exposedName }, score }) => [exposedName, score.toFixed(9)]),
        ),
      );
    const [first, middle, last] = [server('a', many(0, 20)), server('b', many(0, 20)), server('c', many(0, 20))];
    const servers = [first, middle, last];
    const followed = createCatalog(signal(servers));
    const start = many(0, 20);
    for (const next of [
      [...start, tool('row_x')],
      [...start.slice(0, 9), tool('row_y', { description: 'Row of 3' }), ...start.slice(9)],
      [...start].reverse(),
      start.slice(5, 6),
      [],
      many(5, 90),
      many(7, 92),
    ]) {
      for (const changed of [middle, last, first]) {
        await followed.search('row');
        changed.lists.value = lists(next);
        const fresh = createCatalog(signal(servers));
        assert.deepEqual(await ranked(followed), await ranked(fresh));
      }
    }
  });

  it('indexes and ranks thousands of tools in slices', async () => {
    const tools = Array.from({ length: 5_000 }, (_, index) => tool(`work_${index}`, { description: 'Does work.' }));
    const all = createCatalog(signal([server('big', tools)])).tools.peek();
    let time = 0;
    let turns = 0;
    const slices = new TimeSlices(
      () => (time += 0.1),
      async () => {
        turns += 1;
      },
    );
    const search = new ToolSearch();
    const hits = await search.search(all, 'work 4242', 10, slices);
    // Two passes, each with a turn about every hundred tools.
    assert.ok(turns > 95, `${turns} turns`);
    assert.equal(hits[0]?.tool.ref.name, 'work_4242');
    assert.deepEqual(
      hits.slice(1, 4).map(({ tool: { ref } }) => ref.name),
      ['work_0', 'work_1', 'work_10'],
    );
    turns = 0;
    // One more is no reason to look at all again: what is left is to rank them.
    await search.search([...all.slice(0, 2_500), ...all.slice(2_501)], 'work', 10, slices);
    assert.ok(turns < 60, `${turns} turns`);
  });

  it('takes tools of any size', async () => {
    const long = 'long_'.repeat(200_000);
    const properties = Object.fromEntries(Array.from({ length: 200_000 }, (_, index) => [`argument${index}`, {}]));
    const odd = server('odd', [
      tool(long, { title: long, description: long }),
      tool('wide', { inputSchema: { type: 'object', properties } }),
      tool('untitled', { title: 7, description: { text: 'none' } }),
    ]);
    const found = createCatalog(signal([odd]));
    assert.equal((await found.search('argument7'))[0]?.tool.ref.name, 'wide');
    assert.equal((await found.search('long'))[0]?.tool.ref.name, long);
    assert.equal((await found.search('untitled'))[0]?.tool.ref.name, 'untitled');
  });
});
