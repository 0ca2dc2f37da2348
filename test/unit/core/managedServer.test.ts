import { deepEqual, equal } from 'node:assert/strict';
import { signal } from '@preact/signals-core';
import type { Launch } from '../../../src/core/config/configTypes';
import { ManagedServer } from '../../../src/core/managedServer';
import { HttpFixture, json, plain } from './connections/remote/httpFixture';
import { connectionTo, definitionOf, MemoryListCache, stopAll } from './connections/testConnection';

describe('ManagedServer, as the account changes', () => {
  let fixture: HttpFixture;
  let refused = false;
  let launch: Launch;
  const cache = new MemoryListCache();

  const server = (): ManagedServer =>
    new ManagedServer(definitionOf(launch), {
      connect: () => connectionTo(launch, { dependencies: { cache } }).connection,
      consent: {
        version: signal(0),
        stateOf: () => 'approved',
        approve: async () => undefined,
        refuse: async () => undefined,
      },
      trusted: signal(true),
    });
  const tools = (of: ManagedServer): readonly [string, readonly string[]] => {
    const { from, items } = of.lists.peek().tools;
    return [from, items.map(({ name }) => name)];
  };

  beforeEach(async () => {
    refused = false;
    fixture = await HttpFixture.start((seen, response, request) => {
      if (seen.message.method === 'tools/list' && refused) {
        json(response, { jsonrpc: '2.0', id: seen.message.id, error: { code: -32000, message: 'not for you' } });
      } else {
        plain(seen, response, request);
      }
    });
    launch = { type: 'http', url: `${fixture.origin}/mcp`, headers: {} };
  });

  afterEach(async () => {
    await stopAll();
    await fixture.stop();
  });

  it('lists anew what runs, and keeps nothing where that fails', async () => {
    const own = server();
    await (await own.connection()).start({ interactive: false });
    deepEqual(tools(own), ['server', ['echo']]);
    await own.signInChanged(true);
    deepEqual(tools(own), ['server', ['echo']]);
    equal(fixture.messages('tools/list').length, 2);
    refused = true;
    await own.signInChanged(true);
    equal(own.status.peek().kind, 'ready');
    deepEqual(tools(own), ['none', []]);
  });

  it('forgets the lists of what does not run, in the cache too', async () => {
    const own = server();
    const connection = await own.connection();
    await connection.start({ interactive: false });
    await connection.stop();
    await own.signInChanged(false);
    equal(own.status.peek().kind, 'stopped');
    deepEqual(tools(own), ['none', []]);
    const next = server();
    await (
      await next.connection()
    ).loaded;
    deepEqual(tools(next), ['none', []]);
    equal(next.lastInfo.peek()?.serverInfo.name, own.lastInfo.peek()?.serverInfo.name);
  });
});
