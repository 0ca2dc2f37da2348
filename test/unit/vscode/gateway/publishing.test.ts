import assert from 'node:assert/strict';
import type { ServerStatus } from '../../../../src/core/hubTypes';
import { DefinitionVersions } from '../../../../src/vscode/gateway/definitionVersion';
import { publishedServers } from '../../../../src/vscode/gateway/publishing';
import { type FakeServer, fakeServer, listsOf, tool } from '../../server/fakeHub';

function withStatus(key: string, status: ServerStatus): FakeServer {
  const server = fakeServer(key);
  server.status.value = status;
  return server;
}

describe('definitions in the editor’s chat', () => {
  const keys = (all: readonly FakeServer[], publish: 'perServer' | 'off' = 'perServer', keepsBothOfOneLabel = false) =>
    publishedServers(all, { publish, keepsBothOfOneLabel }).map(({ id }) => id);

  it('are there for what Portico runs and may start, whatever state it is in', () => {
    const all = [
      withStatus('stopped', { kind: 'stopped' }),
      withStatus('failed', { kind: 'failed', problem: { code: 'SERVER_EXITED', message: '' }, detail: [] }),
      withStatus('off', { kind: 'off' }),
      withStatus('self', { kind: 'self' }),
      withStatus('restricted', { kind: 'restricted' }),
      withStatus('notApproved', { kind: 'notApproved', refused: false }),
      fakeServer('theirs', undefined, { owner: 'editor' }),
    ];
    assert.deepEqual(keys(all), ['stopped', 'failed']);
    assert.deepEqual(keys(all, 'off'), []);
  });

  it('leave a twin of the editor’s own to the editor where it would show both', () => {
    const all = [
      fakeServer('Files'),
      fakeServer('jira'),
      fakeServer('files@.mcp.json', undefined, { key: 'files', owner: 'editor' }),
      fakeServer('jira@.mcp.json', undefined, { key: 'jira', owner: 'editor', disabled: true }),
    ];
    assert.deepEqual(keys(all, 'perServer', true), ['jira']);
    assert.deepEqual(keys(all), ['Files', 'jira']);
  });

  it('change their version with lists, trust and launch, but not with lists under an open session', () => {
    let open = false;
    const versions = new DefinitionVersions(() => open);
    const server = fakeServer('a', { tools: [tool('t')] });
    const first = versions.of(server, false);
    server.lists.value = listsOf({ tools: [tool('t')] }, 'server');
    assert.equal(versions.of(server, false), first);
    assert.notEqual(versions.of(server, true), first);
    assert.equal(versions.of(server, false), first);
    open = true;
    server.lists.value = listsOf({ tools: [tool('u')] }, 'server');
    assert.equal(versions.of(server, false), first);
    open = false;
    assert.notEqual(versions.of(server, false), first);
  });
});
