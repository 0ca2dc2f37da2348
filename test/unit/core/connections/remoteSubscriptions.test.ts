import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import { WantedResources } from '../../../../src/core/connections/wantedResources';
import { type Handler, HttpFixture, json } from './remote/httpFixture';
import { connectionTo, stopAll, type TestConnection } from './testConnection';
import { eventually } from './until';

const start = { interactive: false } as const;
const capabilities = { resources: { subscribe: true } };

describe('resource subscriptions over HTTP', () => {
  let fixture: HttpFixture | undefined;
  let wanted: WantedResources;
  let updates: string[];
  beforeEach(() => {
    wanted = new WantedResources();
    updates = [];
  });
  afterEach(async () => {
    await stopAll();
    await fixture?.stop();
    fixture = undefined;
  });

  const serve = async (handler: Handler): Promise<TestConnection & { fixture: HttpFixture }> => {
    fixture = await HttpFixture.start(handler);
    const test = connectionTo(
      { type: 'http', url: `${fixture.origin}/mcp`, headers: {} },
      { dependencies: { wanted } },
    );
    test.connection.onDidUpdateResource((uri) => updates.push(uri));
    await test.connection.start(start);
    return { ...test, fixture };
  };
  const subscribes = (from: HttpFixture): unknown[] =>
    from
      .messages('resources/subscribe')
      .map(({ headers, message }) => [headers['mcp-session-id'], message.params?.['uri']]);

  /** A server of the session era that forgets its sessions, as a restart does. */
  class Forgetful {
    session = 1;
    stream: ServerResponse | undefined;

    readonly handle: Handler = ({ method, headers, message }, response) => {
      const known = headers['mcp-session-id'] === `s${this.session}`;
      if (message.method === 'server/discover') {
        response.writeHead(400).end();
      } else if (message.method !== 'initialize' && !known) {
        response.writeHead(404).end();
      } else if (method === 'GET') {
        this.stream = response.writeHead(200, { 'content-type': 'text/event-stream' });
        this.stream.write(': open\n\n');
      } else if (message.id === undefined) {
        response.writeHead(202).end();
      } else {
        const initialized = {
          protocolVersion: '2025-11-25',
          capabilities,
          serverInfo: { name: 'fixture', version: '1' },
        };
        const result = message.method === 'initialize' ? initialized : { resources: [], resourceTemplates: [] };
        json(response, { jsonrpc: '2.0', id: message.id, result }, { 'mcp-session-id': `s${this.session}` });
      }
    };

    forget(): void {
      this.session += 1;
      this.stream?.end();
      this.stream = undefined;
    }
  }

  it('fault 58: finds out by itself that a server has forgotten its session, and subscribes in a new one', async () => {
    const server = new Forgetful();
    wanted.want('x://a');
    const { fixture: seen } = await serve(server.handle);
    await eventually(() => subscribes(seen).length === 1 && server.stream !== undefined);
    server.forget();
    await eventually(() => updates.length === 1);
    assert.deepEqual(subscribes(seen), [
      ['s1', 'x://a'],
      ['s2', 'x://a'],
    ]);
    assert.deepEqual(updates, ['x://a']);
    await eventually(() => server.stream !== undefined);
    const update = { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: 'x://a' } };
    server.stream?.write(`data: ${JSON.stringify(update)}\n\n`);
    await eventually(() => updates.length === 2);
  });

  it('fault 58: a subscribe that shows that the session is lost renews it', async () => {
    const server = new Forgetful();
    const { connection, fixture: seen } = await serve(server.handle);
    server.session += 1;
    wanted.want('x://a');
    wanted.want('x://b');
    await eventually(() => subscribes(seen).filter((one) => Array.isArray(one) && one[0] === 's2').length === 2);
    assert.equal(seen.messages('initialize').length, 2);
    await eventually(() => connection.state.value.kind === 'ready');
  });

  it('does not ask whether the session still stands while nothing is wanted', async () => {
    const server = new Forgetful();
    const { fixture: seen } = await serve(server.handle);
    await eventually(() => server.stream !== undefined);
    server.forget();
    await eventually(() => seen.requests('GET').length === 2);
    assert.deepEqual([seen.messages('ping').length, seen.messages('initialize').length], [0, 1]);
  });

  it('hears of updates from a stateless server on the official SDK, whose streams follow what is wanted', async () => {
    const handler = createMcpHandler(
      () => {
        const server = new Server({ name: 'fixture', version: '1' }, { capabilities });
        server.setRequestHandler('resources/list', () => ({ resources: [] }));
        server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
        return server;
      },
      { legacy: 'reject' },
    );
    let streams = 0;
    const first = wanted.want('x://a');
    await serve((seen, response) => {
      const isStream = seen.message.method === 'subscriptions/listen';
      void (async () => {
        const answer = await handler.fetch(
          new Request('http://127.0.0.1/mcp', {
            method: seen.method,
            headers: Object.entries(seen.headers).map(([name, value]) => [name, String(value)] as [string, string]),
            ...(seen.method === 'POST' ? { body: seen.body } : {}),
          }),
        );
        response.writeHead(answer.status, Object.fromEntries(answer.headers));
        streams += isStream ? 1 : 0;
        const reader = answer.body?.getReader();
        response.on('close', () => {
          streams -= isStream ? 1 : 0;
          void reader?.cancel().catch(() => undefined);
        });
        for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
          response.write(read.value);
        }
        response.end();
      })();
    });
    await eventually(() => streams === 1);
    const second = wanted.want('KB://B c');
    await eventually(() => (fixture?.messages('subscriptions/listen').length ?? 0) === 2 && streams === 1);
    handler.notify.resourceUpdated('KB://B c');
    handler.notify.resourceUpdated('x://never');
    handler.notify.resourceUpdated('x://a');
    await eventually(() => updates.length === 2);
    assert.deepEqual(updates, ['KB://B c', 'x://a']);
    first.dispose();
    second.dispose();
    await eventually(() => streams === 0);
    await handler.close();
  });
});
