import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import type { Client, ElicitResult } from '@modelcontextprotocol/client';
import type { RequestOptions } from '../../../../src/core/connections/connectionTypes';
import { openTestHub, type TestHub } from '../../../harness/testHub';
import { eventually } from '../../core/connections/until';
import { FakeHub, fakeServer, tool } from '../fakeHub';
import { GatewayHarness, rpc } from '../gatewayHarness';

const params = {
  message: 'Who?',
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
};
const ada: ElicitResult = { action: 'accept', content: { name: 'Ada' } };
const never = new AbortController().signal;

/** A client that can be asked, as the editor's can. */
function asks(answer: (message: string, signal: AbortSignal) => Promise<ElicitResult>): (client: Client) => void {
  return (client) => {
    client.registerCapabilities({ elicitation: { form: {}, url: {} } });
    client.setRequestHandler('elicitation/create', ({ params: { message } }, { mcpReq }) =>
      answer(message, mcpReq.signal),
    );
  };
}

describe('gateway: who answers what a call leads to', () => {
  let hub: FakeHub;
  let harness: GatewayHarness;
  let call: (options: RequestOptions) => Promise<unknown>;
  beforeEach(async () => {
    hub = new FakeHub(fakeServer('jira', { tools: [tool('run')] }));
    hub.onCall = async (_ref, _args, options) => ({
      content: [{ type: 'text', text: JSON.stringify(await call(options)) }],
    });
    harness = await GatewayHarness.open(hub.asHub());
  });
  afterEach(() => harness.dispose());

  it('is the client that called, on the stream of the call', async () => {
    const seen: string[] = [];
    const client = await harness.client(
      'jira',
      'legacy',
      asks(async (message) => {
        seen.push(message);
        return ada;
      }),
    );
    call = async ({ answerer }) => {
      assert.deepEqual(answerer?.capabilities.elicitation, { form: {}, url: {} });
      return answerer?.answer('elicitation/create', params, never);
    };
    const { content } = await client.callTool({ name: 'run', arguments: {} });
    assert.deepEqual(content, [{ type: 'text', text: JSON.stringify(ada) }]);
    assert.deepEqual(seen, ['Who?']);
  });

  it('takes the question back when the server does, and when the call is cancelled', async () => {
    const asked: AbortSignal[] = [];
    const client = await harness.client(
      'jira',
      'legacy',
      asks((_message, signal) => {
        asked.push(signal);
        return new Promise(() => undefined);
      }),
    );
    const server = new AbortController();
    call = async ({ answerer }) =>
      answerer?.answer('elicitation/create', params, server.signal).catch(() => 'taken back');
    const withdrawn = client.callTool({ name: 'run', arguments: {} });
    await eventually(() => asked.length === 1);
    server.abort();
    assert.deepEqual((await withdrawn).content, [{ type: 'text', text: '"taken back"' }]);
    await eventually(() => asked[0]?.aborted === true);

    let ended: unknown;
    call = async ({ answerer }) => {
      ended = await answerer?.answer('elicitation/create', params, never).catch(() => 'ended');
      return ended;
    };
    const person = new AbortController();
    const cancelled = client.callTool({ name: 'run', arguments: {} }, { signal: person.signal });
    await eventually(() => asked.length === 2);
    person.abort();
    await assert.rejects(cancelled);
    await eventually(() => ended === 'ended');
  });

  it('is told by growing progress where a question waits instead', async () => {
    const client = await harness.client('jira');
    call = async ({ answerer, onProgress }) => {
      assert.deepEqual(answerer?.capabilities, {});
      onProgress?.({ progress: 3, total: 9, message: 'third' });
      answerer?.tell?.('Waiting for you in “jira asks”');
      onProgress?.({ progress: 4, total: 9 });
      return 'done';
    };
    const seen: { progress: number; total?: number; message?: string }[] = [];
    await client.callTool({ name: 'run', arguments: {} }, { onprogress: (update) => seen.push(update) });
    assert.deepEqual(
      seen.map(({ total, message }) => [total, message]),
      [
        [9, 'third'],
        [9, 'Waiting for you in “jira asks”'],
        [9, undefined],
      ],
    );
    assert.deepEqual(
      seen.map(({ progress }) => progress),
      [...seen].map(({ progress }) => progress).sort((a, b) => a - b),
    );
    assert.equal(new Set(seen.map(({ progress }) => progress)).size, 3);
  });

  it('cannot be a client without a stream for the call, nor one of the stateless era', async () => {
    const session = await harness.session('jira');
    call = async ({ answerer }) => answerer?.answer('elicitation/create', params, never).catch(String);
    const answer = await harness.post('jira', rpc('tools/call', { name: 'run', arguments: {} }), {
      ...session,
      accept: 'application/json',
    });
    assert.match(answer.text, /no stream on which it could be asked/);

    const client = await harness.client(
      'jira',
      'modern',
      asks(async () => ada),
    );
    call = async ({ answerer }) => answerer?.capabilities;
    assert.deepEqual((await client.callTool({ name: 'run', arguments: {} })).content, [{ type: 'text', text: '{}' }]);
  });
});

describe('gateway: questions of real servers', function () {
  this.timeout(30_000);
  let opened: TestHub | undefined;
  let harness: GatewayHarness | undefined;
  afterEach(async () => {
    harness?.dispose();
    await opened?.close();
  });

  for (const era of ['session', 'stateless']) {
    it(`are answered by the chat that called, of two that call at once by the right one (${era})`, async () => {
      const server = { command: process.execPath, args: [resolve('test/fixtures/servers/asking.mjs'), era] };
      const byPortico: string[] = [];
      opened = await openTestHub(
        { tables: server },
        {
          elicitationUi: {
            ask: async ({ caller, message }, signal) => {
              if (caller?.ask) {
                return caller.ask(signal);
              }
              byPortico.push(message);
              return { action: 'decline' };
            },
          },
        },
      );
      await opened.hub.start('tables', { interactive: false });
      const endpoints = await GatewayHarness.open(opened.hub);
      harness = endpoints;
      const chats = await Promise.all(
        ['Ada', 'Bob'].map((name) =>
          endpoints.client(
            'tables',
            'legacy',
            asks(async () => ({ action: 'accept', content: { name } })),
          ),
        ),
      );
      const answers = async (which: readonly Client[], name = 'ask'): Promise<unknown[]> => {
        const results = await Promise.all(which.map((client) => client.callTool({ name, arguments: { params } })));
        return results.map((result) => {
          const [block] = result.content;
          const { action, content } = JSON.parse(block?.type === 'text' ? block.text : '') as ElicitResult;
          return content?.['name'] ?? action;
        });
      };
      assert.deepEqual(await answers(chats.slice(0, 1)), ['Ada']);
      assert.deepEqual(byPortico, []);
      if (era === 'stateless') {
        assert.deepEqual(await answers(chats), ['Ada', 'Bob']);
      } else {
        // Over stdio nothing tells whose question it is: neither chat gets it.
        assert.deepEqual(await answers(chats, 'together'), ['decline', 'decline']);
        assert.deepEqual(byPortico, ['Who?', 'Who?']);
      }
    });
  }
});
