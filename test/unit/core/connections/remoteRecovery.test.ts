import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import type { Connection } from '../../../../src/core/connections/connectionTypes';
import { answerTo, HttpFixture, json, plain, type Seen } from './remote/httpFixture';
import { connectionTo, stopAll, type TestOptions } from './testConnection';
import { eventually } from './until';

describe('a remote server whose replies get lost', () => {
  let server: HttpFixture | undefined;
  afterEach(async () => {
    await stopAll();
    await server?.stop();
  });

  /** `lose` may spoil a call or a listening stream and says whether it did. */
  async function connect(
    lose: (seen: Seen, response: ServerResponse) => boolean,
    limits: TestOptions['limits'] = {},
  ): Promise<Connection> {
    const started = await HttpFixture.start((seen, response, request) => {
      if (lose(seen, response)) {
        return;
      }
      if (seen.message.method === 'tools/list') {
        const tool = (name: string, annotations: object) => ({ name, annotations, inputSchema: { type: 'object' } });
        const tools = [
          tool('reads', { readOnlyHint: true }),
          tool('repeats', { idempotentHint: true }),
          tool('acts', {}),
        ];
        json(response, { jsonrpc: '2.0', id: seen.message.id, result: { tools } });
      } else {
        plain(seen, response, request);
      }
    });
    server = started;
    return connectionTo({ type: 'http', url: `${started.origin}/mcp`, headers: {} }, { limits }).connection;
  }

  const calls = (): number => server?.messages('tools/call').length ?? 0;

  for (const how of ['a stream that ends without its answer', 'a connection that breaks']) {
    it(`${how}: a call that may be repeated is, once, and no other`, async () => {
      let lost = 0;
      const connection = await connect((seen, response) => {
        if (seen.message.method !== 'tools/call' || lost > 0) {
          return false;
        }
        lost += 1;
        if (how.startsWith('a stream')) {
          response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': nothing\n\n');
        } else {
          response.destroy();
        }
        return true;
      });
      for (const name of ['reads', 'repeats']) {
        lost = 0;
        const before = calls();
        const { content } = await connection.callTool(name, {});
        assert.deepEqual(content, [{ type: 'text', text: 'done' }]);
        assert.equal(calls() - before, 2);
      }
      lost = 0;
      const before = calls();
      await assert.rejects(connection.callTool('acts', {}), { code: 'CONNECTION_LOST' });
      assert.equal(calls() - before, 1);
      assert.equal((await connection.callTool('acts', {})).isError, undefined);
    });
  }

  it('a kept connection that the server has closed costs a call alone, as the server may have got that', async () => {
    const used = new WeakSet<object>();
    const connection = await connect((_seen, response) => {
      const { socket } = response;
      if (!socket || !used.has(socket)) {
        used.add(socket ?? {});
        return false;
      }
      socket.destroy();
      return true;
    });
    await connection.start({ interactive: false });
    await connection.refresh({ interactive: false });
    await assert.rejects(connection.callTool('acts', {}), { code: 'CONNECTION_LOST' });
    assert.equal(calls(), 1);
  });

  it('a reply lost twice is given up', async () => {
    const connection = await connect((seen, response) => {
      const isCall = seen.message.method === 'tools/call';
      if (isCall) {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': nothing\n\n');
      }
      return isCall;
    });
    await assert.rejects(connection.callTool('reads', {}), { code: 'CONNECTION_LOST' });
    assert.equal(calls(), 2);
  });

  for (const head of ['', 'id: call-1\nretry: 100\ndata:\n\n']) {
    it(`a message above the cap says so, and the call is not sent again (${head ? 'resumable' : 'not resumable'})`, async () => {
      let resumed = 0;
      const connection = await connect(
        (seen, response) => {
          resumed += seen.headers['last-event-id'] === undefined ? 0 : 1;
          const isCall = seen.message.method === 'tools/call';
          if (isCall) {
            response.writeHead(200, { 'content-type': 'text/event-stream' });
            response.write(`${head}data: ${'x'.repeat(3 * 1_048_576)}`);
          }
          return isCall;
        },
        { messageBytes: 2 * 1_048_576 },
      );
      await assert.rejects(connection.callTool('reads', {}), {
        code: 'MESSAGE_TOO_LARGE',
        message: /larger than 2 MB/,
      });
      assert.equal(calls(), 1);
      await connection.refresh({ interactive: false });
      assert.equal(resumed, 0);
    });
  }

  it('a message above the cap on the resumed stream of a call fails the call, which is not asked for again', async () => {
    const asked: unknown[] = [];
    const connection = await connect(
      (seen, response) => {
        if (seen.message.method === 'tools/call') {
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          response.end('id: call-1\nretry: 100\ndata:\n\n');
          return true;
        }
        const last = seen.headers['last-event-id'];
        if (seen.method !== 'GET' || last === undefined) {
          return false;
        }
        asked.push(last);
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(`id: call-2\ndata:\n\nid: call-3\ndata: ${'x'.repeat(3 * 1_048_576)}`);
        return true;
      },
      { messageBytes: 2 * 1_048_576 },
    );
    await assert.rejects(connection.callTool('reads', {}), {
      code: 'MESSAGE_TOO_LARGE',
      message: /"srv" .*larger than 2 MB/,
    });
    await connection.refresh({ interactive: false });
    assert.deepEqual(asked, ['call-1']);
    assert.equal(calls(), 1);
  });

  it('a message above the cap on the listening stream is not asked for again', async () => {
    const asked: unknown[] = [];
    const connection = await connect(
      (seen, response) => {
        if (seen.method !== 'GET') {
          return false;
        }
        asked.push(seen.headers['last-event-id']);
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(
          asked.length === 1 ? `id: 1\nretry: 100\ndata:\n\ndata: ${'x'.repeat(3 * 1_048_576)}` : ': still here\n\n',
        );
        return true;
      },
      { messageBytes: 2 * 1_048_576 },
    );
    await connection.start({ interactive: false });
    await eventually(() => asked.length === 2);
    assert.deepEqual(asked, [undefined, undefined]);
    assert.equal(connection.state.peek().kind, 'ready');
  });

  it('resumes the stream of a call with Last-Event-ID, whatever the call does', async () => {
    let id: unknown;
    const connection = await connect((seen, response) => {
      const last = seen.headers['last-event-id'];
      if (seen.message.method === 'tools/call') {
        id = seen.message.id;
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end('id: call-1\nretry: 100\ndata:\n\n');
        return true;
      }
      if (seen.method !== 'GET' || last !== 'call-1') {
        return false;
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const answer = { ...(answerTo({ ...seen, message: { id: 1, method: 'tools/call' } }) as object), id };
      response.end(`id: call-2\ndata: ${JSON.stringify(answer)}\n\n`);
      return true;
    });
    assert.deepEqual((await connection.callTool('acts', {})).content, [{ type: 'text', text: 'done' }]);
    assert.equal(calls(), 1);
  });

  for (const [name, event, sent] of [
    ['beyond ASCII', 'call-漢', 'call-漢'],
    ['that no header can hold', 'call-\u0001', undefined],
  ] as const) {
    it(`an event id ${name} is sent back as it came, or not at all`, async () => {
      const asked: unknown[] = [];
      let id: unknown;
      const connection = await connect((seen, response) => {
        const last = seen.headers['last-event-id'];
        if (seen.message.method === 'tools/call') {
          id = seen.message.id;
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          response.end(`id: ${event}\nretry: 100\ndata:\n\n`);
          return true;
        }
        if (seen.method !== 'GET' || last === undefined) {
          return false;
        }
        asked.push(Buffer.from(String(last), 'latin1').toString('utf8'));
        const answer = { ...(answerTo({ ...seen, message: { id: 1, method: 'tools/call' } }) as object), id };
        response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`data: ${JSON.stringify(answer)}\n\n`);
        return true;
      });
      const call = connection.callTool('acts', {});
      await (sent === undefined ? assert.rejects(call, { code: 'CONNECTION_LOST' }) : call);
      assert.deepEqual(asked, sent === undefined ? [] : [sent]);
    });
  }

  it('resumes the listening stream with Last-Event-ID', async () => {
    const asked: unknown[] = [];
    const connection = await connect((seen, response) => {
      if (seen.method !== 'GET') {
        return false;
      }
      asked.push(seen.headers['last-event-id']);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      if (asked.length === 1) {
        response.end(
          'id: heard-7\nretry: 100\ndata: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\n',
        );
      } else {
        response.write(': still here\n\n');
      }
      return true;
    });
    await connection.start({ interactive: false });
    await eventually(() => asked.length === 2);
    assert.deepEqual(asked, [undefined, 'heard-7']);
  });

  it('a large answer comes whole over JSON and over a stream, and the next one after it', async () => {
    const large = { list: Array.from({ length: 9_000 }, (_, index) => ({ index, text: `→é🎉 "${index}"`.repeat(4) })) };
    let streamed = false;
    const connection = await connect((seen, response) => {
      if (seen.message.method !== 'tools/call') {
        return false;
      }
      const result = { content: [{ type: 'text', text: JSON.stringify(large) }], structuredContent: large };
      const answer = { jsonrpc: '2.0', id: seen.message.id, result };
      if (streamed) {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(': ping\n\nid: 4\nevent: message\ndata: ');
        response.end(`${JSON.stringify(answer)}\n\n`);
      } else {
        json(response, answer);
      }
      return true;
    });
    for (streamed of [false, true]) {
      const results = await Promise.all([connection.callTool('acts', {}), connection.callTool('reads', {})]);
      for (const result of results) {
        assert.deepEqual(result.structuredContent, large);
        assert.deepEqual(result.content, [{ type: 'text', text: JSON.stringify(large) }]);
      }
    }
  });
});
