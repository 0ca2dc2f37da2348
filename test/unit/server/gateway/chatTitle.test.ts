import assert from 'node:assert/strict';
import { chatTitle } from '../../../../src/server/gateway/chatTitle';

const prefix = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .slice(0, 13);

describe('gateway: title of a server in the chat', () => {
  it('is the key where the editor can tell it from the others', () => {
    for (const key of ['jira', 'files', 'a-very-long-name-of-a-server']) {
      assert.equal(chatTitle(key, ['jira', 'files', 'a-very-long-name-of-a-server']), key);
    }
  });

  it('differs within the part that the editor keeps, in whatever order the keys come', () => {
    const keys = ['my-company-github', 'my-company-gitlab', 'My.Company.GitX', 'a.b', 'a_b', 'plain'];
    const titles = keys.map((key) => chatTitle(key, keys));
    assert.equal(new Set(titles.map(prefix)).size, keys.length);
    assert.equal(titles[5], 'plain');
    assert.deepEqual(
      keys.map((key) => chatTitle(key, keys.toReversed())),
      titles,
    );
  });
});
