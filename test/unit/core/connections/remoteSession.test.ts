import assert from 'node:assert/strict';
import { effect } from '@preact/signals-core';
import type { Launch } from '../../../../src/core/config/configTypes';
import { FakeEndpoint } from './fakeEndpoint';
import { connectionTo, stopAll, type TestConnection } from './testConnection';
import { until } from './until';

const start = { interactive: false } as const;

describe('remote sessions', () => {
  let endpoint: FakeEndpoint;
  beforeEach(async () => {
    endpoint = new FakeEndpoint();
    await endpoint.listen();
  });
  afterEach(async () => {
    await stopAll();
    await endpoint.close();
  });

  const launch = (): Launch => ({ type: 'http', url: endpoint.url, headers: {} });

  function kindsOf({ connection }: TestConnection): string[] {
    const kinds: string[] = [];
    effect(() => {
      kinds.push(connection.state.value.kind);
    });
    return kinds;
  }

  it('ends the session by DELETE on stop, and probes no more at the next start', async () => {
    const { connection } = connectionTo(launch());
    await connection.start(start);
    await connection.stop();
    assert.equal(endpoint.seen.at(-1), 'DELETE s1');
    const before = endpoint.seen.length;
    await connection.start(start);
    assert.equal(endpoint.seen[before], 'initialize undefined');
  });

  for (const status of [404, 400]) {
    it(`fault 30: a lost session (${status}) is renewed, lists are read anew and the refused call is sent once more`, async () => {
      const server = connectionTo(launch());
      await server.connection.start(start);
      const kinds = kindsOf(server);
      endpoint.forget();
      endpoint.lostStatus = status;
      endpoint.tools = ['echo', 'fresh'];
      const before = endpoint.seen.length;
      const result = await server.connection.callTool('echo', { a: 1 });
      assert.deepEqual(result.content, [{ type: 'text', text: '{"a":1}' }]);
      assert.deepEqual(
        server.connection.lists.value.tools.items.map(({ name }) => name),
        ['echo', 'fresh'],
      );
      assert.deepEqual(
        endpoint.seen.slice(before).filter((line) => !line.startsWith('GET')),
        ['tools/call s1', 'initialize undefined', 'notifications/initialized s2', 'tools/list s2', 'tools/call s2'],
      );
      assert.deepEqual(kinds, ['ready', 'reconnecting', 'ready']);
    });
  }

  it('fault 30: a renewal that is refused too backs off, and recovers later', async () => {
    const server = connectionTo(launch());
    await server.connection.start(start);
    const kinds = kindsOf(server);
    endpoint.forget();
    endpoint.refusals = 2;
    const result = await server.connection.callTool('echo', { a: 2 });
    assert.deepEqual(result.content, [{ type: 'text', text: '{"a":2}' }]);
    assert.equal(kinds.at(-1), 'ready');
    assert.equal(kinds.includes('failed'), false);
    assert.equal(endpoint.seen.filter((line) => line.startsWith('tools/call')).length, 2);
  });

  it('fault 30: shows that a server is gone, and comes back with it', async () => {
    const server = connectionTo(launch());
    await server.connection.start(start);
    await endpoint.close();
    await assert.rejects(server.connection.callTool('echo', {}), { code: /CONNECT_FAILED|CONNECTION_LOST/ });
    assert.equal(server.connection.state.value.kind, 'reconnecting');
    endpoint.forget();
    await endpoint.listen();
    await until(() => server.connection.state.value.kind === 'ready');
  });
});
