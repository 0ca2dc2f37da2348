import assert from 'node:assert/strict';
import { signal } from '@preact/signals-core';
import { createCatalog } from '../../../../src/core/catalog/catalog';
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
});
