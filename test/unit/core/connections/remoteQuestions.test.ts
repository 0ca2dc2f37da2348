import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { toDisposable } from '../../../../src/base/disposable';
import type { Answerer, ClientFeature } from '../../../../src/core/connections/connectionTypes';
import { passThroughSchema } from '../../../../src/core/connections/passThroughSchema';
import { answerTo, HttpFixture, json, type Seen } from './remote/httpFixture';
import { connectionTo, stopAll } from './testConnection';

/** Asks on the stream of each call once all calls are there, the last one first. */
class AskingEndpoint {
  private readonly calls: { readonly seen: Seen; readonly response: ServerResponse }[] = [];

  constructor(private readonly count: number) {}

  readonly handle = (seen: Seen, response: ServerResponse): void => {
    const { message } = seen;
    if (seen.method !== 'POST') {
      response.writeHead(405).end();
    } else if (message.method === 'tools/call') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.flushHeaders();
      this.calls.push({ seen, response });
      if (this.calls.length === this.count) {
        [...this.calls].reverse().forEach((call, index) => {
          const who = (call.seen.message.params?.['arguments'] as { who: string }).who;
          send(call.response, { id: `q${index}`, method: 'elicitation/create', params: { message: who } });
        });
      }
    } else if (message.method === undefined && message.id !== undefined) {
      response.writeHead(202).end();
      const call = [...this.calls].reverse()[Number(String(message.id).slice(1))];
      const { result } = JSON.parse(seen.body) as { result: unknown };
      if (call) {
        send(call.response, {
          id: call.seen.message.id,
          result: { content: [{ type: 'text', text: JSON.stringify(result) }] },
        });
        call.response.end();
      }
    } else {
      const answer = answerTo(seen);
      if (answer === undefined) {
        response.writeHead(202).end();
      } else {
        json(response, answer);
      }
    }
  };
}

function send(response: ServerResponse, message: object): void {
  response.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
}

describe('questions on streams of requests', () => {
  let endpoint: HttpFixture;
  afterEach(async () => {
    await stopAll();
    await endpoint.stop();
  });

  it('belong to the request of the stream, however many are open', async () => {
    const names = ['Ada', 'Bob', 'Cyd', 'nobody'];
    endpoint = await HttpFixture.start(new AskingEndpoint(names.length).handle);
    const answererOf = new Map<string, Answerer>(
      names.slice(0, 3).map((name) => [
        name,
        {
          capabilities: {},
          answer: async (_method, params) => ({ by: name, of: (params as { message: string }).message }),
        },
      ]),
    );
    const elicitation: ClientFeature = {
      capabilities: { elicitation: {} },
      attach: (client, _server, questions) => {
        client.setRequestHandler('elicitation/create', { params: passThroughSchema }, async (params, { mcpReq }) => {
          await new Promise((resolve) => setImmediate(resolve));
          const answerer = questions.answererOf(mcpReq.signal);
          const answer = await answerer?.answer('elicitation/create', params, mcpReq.signal);
          return { action: 'accept', content: (answer ?? { by: 'the editor' }) as Record<string, string> };
        });
        return toDisposable(() => client.removeRequestHandler('elicitation/create'));
      },
    };
    const { connection } = connectionTo(
      { type: 'http', url: `${endpoint.origin}/mcp`, headers: {} },
      { dependencies: { features: [elicitation] } },
    );
    await connection.start({ interactive: false });
    const results = await Promise.all(
      names.map((who) => {
        const answerer = answererOf.get(who);
        return connection.callTool('echo', { who }, answerer ? { answerer } : {});
      }),
    );
    const answers = results.map(({ content: [block] }) =>
      block?.type === 'text' ? (JSON.parse(block.text) as { content: unknown }).content : block,
    );
    assert.deepEqual(answers, [
      { by: 'Ada', of: 'Ada' },
      { by: 'Bob', of: 'Bob' },
      { by: 'Cyd', of: 'Cyd' },
      { by: 'the editor' },
    ]);
  });
});
