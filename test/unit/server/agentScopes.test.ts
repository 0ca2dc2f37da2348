import assert from 'node:assert/strict';
import { editorScope, mayUseServer } from '../../../src/server/agentScopes';

const scopeOf = (words: readonly string[] | undefined) => {
  const { groups, subjects } = editorScope(words === undefined ? {} : { codex: words }, 'codex');
  return [[...groups].sort(), [...subjects].sort()];
};

describe('scopes of agents', () => {
  it('are all of it for an agent without words of its own', () => {
    assert.deepEqual(scopeOf(undefined), [
      ['edit', 'read', 'run'],
      ['diagnostics', 'files', 'git', 'symbols', 'tasks', 'views'],
    ]);
    assert.deepEqual(editorScope({ 'claude-code': [] }, 'codex'), editorScope({}, 'codex'));
  });

  it('are what the words name, and nothing by words that nobody knows', () => {
    assert.deepEqual(scopeOf(['files', 'git']), [['read'], ['files', 'git']]);
    assert.deepEqual(scopeOf(['editTools', 'runTools', 'tasks']), [['edit', 'read', 'run'], ['tasks']]);
    assert.deepEqual(scopeOf([]), [['read'], []]);
    assert.deepEqual(scopeOf(['Files', 'all', '*']), [['read'], []]);
  });

  it('are not those of what every object has', () => {
    assert.deepEqual(editorScope({}, 'constructor'), editorScope({}, 'codex'));
    assert.equal(mayUseServer({}, '__proto__', 'files'), true);
  });

  it('let an agent use all servers, single ones or none', () => {
    const uses = (words: readonly string[], key: string) => mayUseServer({ codex: words }, 'codex', key);
    assert.deepEqual(
      [uses(['servers'], 'files'), uses(['server:files'], 'files'), uses(['server:files'], 'jira')],
      [true, true, false],
    );
    assert.deepEqual([uses([], 'files'), uses(['files'], 'files')], [false, false]);
    assert.equal(mayUseServer({ codex: [] }, 'cursor', 'files'), true);
  });
});
