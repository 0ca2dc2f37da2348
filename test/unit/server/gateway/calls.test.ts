import assert from 'node:assert/strict';
import { type Client, ProtocolError } from '@modelcontextprotocol/client';
import { PorticoError } from '../../../../src/base/errors';
import { FakeHub, fakeServer, tool } from '../fakeHub';
import { GatewayHarness, rpc } from '../gatewayHarness';
import { open } from '../socketFetch';

describe('gateway: calls and reads', () => {
  let harness: GatewayHarness;
  let hub: FakeHub;

  beforeEach(async () => {
    hub = new FakeHub(
      fakeServer('jira', { tools: [tool('ro.Get/It'), tool('ro_Get_It')], prompts: [{ name: 'hello' }] }),
    );
    harness = await GatewayHarness.open(hub.asHub());
  });

  afterEach(() => harness.dispose());

  const nameOf = async (client: Client, original: string): Promise<string> => {
    const { tools } = await client.listTools();
    const index = original === 'ro.Get/It' ? 0 : 1;
    return tools[index]?.name ?? '';
  };

  it('fault 1: the call carries the server’s own name, whatever the chat was told', async () => {
    const client = await harness.client('jira');
    for (const original of ['ro.Get/It', 'ro_Get_It']) {
      const result = await client.callTool({ name: await nameOf(client, original), arguments: { a: 1 } });
      assert.deepEqual(result.content, [{ type: 'text', text: 'done' }]);
    }
    assert.deepEqual(
      hub.calls.map(({ ref, args }) => [ref.name, args]),
      [
        ['ro.Get/It', { a: 1 }],
        ['ro_Get_It', { a: 1 }],
      ],
    );
    assert.deepEqual(hub.calls[0]?.options.caller, { kind: 'chat', label: 'chat' });
  });

  it('passes meta on without the progress token, and progress back under it', async () => {
    hub.onCall = async (_ref, _args, { onProgress }) => {
      onProgress?.({ progress: 1, total: 2, message: 'half' });
      onProgress?.({ progress: 2, total: 2 });
      return { content: [] };
    };
    const client = await harness.client('jira');
    const seen: unknown[] = [];
    await client.callTool(
      { name: 'ro_Get_It', arguments: {}, _meta: { traceparent: '00-1-2-01' } },
      { onprogress: (update) => seen.push(update) },
    );
    assert.deepEqual(seen, [
      { progress: 1, total: 2, message: 'half' },
      { progress: 2, total: 2 },
    ]);
    assert.deepEqual(hub.calls[0]?.options.meta, { traceparent: '00-1-2-01' });
  });

  it('lets progress grow, also that of a server that counts down', async () => {
    hub.onCall = async (_ref, _args, { onProgress }) => {
      [0, 5, 4, 4, 6].forEach((progress) => onProgress?.({ progress, total: 6, message: `at ${progress}` }));
      return { content: [] };
    };
    const client = await harness.client('jira');
    const seen: { readonly progress: number; readonly message?: string }[] = [];
    await client.callTool({ name: 'ro_Get_It', arguments: {} }, { onprogress: (update) => seen.push(update) });
    assert.deepEqual(
      seen.map(({ progress, message }) => [Number(progress.toFixed(3)), message]),
      [
        [0, 'at 0'],
        [5, 'at 5'],
        [5.001, 'at 4'],
        [5.002, 'at 4'],
        [6, 'at 6'],
      ],
    );
  });

  it('answers with JSON where no progress was sent, else with a stream', async () => {
    const session = await harness.session('jira');
    const call = (_meta: object) => rpc('tools/call', { name: 'ro_Get_It', arguments: {}, _meta });
    const plain = await harness.post('jira', call({}), session);
    assert.equal(plain.headers['content-type'], 'application/json');
    assert.deepEqual(JSON.parse(plain.text), {
      jsonrpc: '2.0',
      id: 7,
      result: { content: [{ type: 'text', text: 'done' }] },
    });
    hub.onCall = async (_ref, _args, { onProgress }) => {
      onProgress?.({ progress: 1 });
      return { content: [] };
    };
    const streamed = await harness.post('jira', call({ progressToken: 'tok' }), session);
    assert.equal(streamed.headers['content-type'], 'text/event-stream');
    const events = streamed.text
      .split('\n\n')
      .filter(Boolean)
      .map((event) => JSON.parse(event.split('data: ')[1] ?? ''));
    assert.deepEqual(
      events.map(({ method, id }) => method ?? id),
      ['notifications/progress', 7],
    );
    assert.equal(events[0].params.progressToken, 'tok');
    const deaf = await harness.post('jira', call({ progressToken: 'tok' }), { ...session, accept: 'application/json' });
    assert.equal(deaf.headers['content-type'], 'application/json');
  });

  it('gives local failures to the model as a failed result, and the server’s own errors as they came', async () => {
    const client = await harness.client('jira');
    const fails = async (error: Error): Promise<unknown> => {
      hub.onCall = async () => Promise.reject(error);
      return client.callTool({ name: 'ro_Get_It', arguments: {} });
    };
    assert.deepEqual(await fails(new PorticoError('SERVER_EXITED', 'jira ended with code 3. Look at its log.')), {
      isError: true,
      content: [{ type: 'text', text: 'jira ended with code 3. Look at its log.' }],
    });
    assert.deepEqual(await fails(new Error('odd')), { isError: true, content: [{ type: 'text', text: 'jira: odd' }] });
    await assert.rejects(fails(new ProtocolError(-32_099, 'mine', { a: 1 })), (error) => {
      assert.ok(error instanceof ProtocolError);
      assert.deepEqual([error.code, error.message, error.data], [-32_099, 'mine', { a: 1 }]);
      return true;
    });
    await assert.rejects(fails(new PorticoError('TOOL_UNKNOWN', 'jira has no tool x.')), { code: -32_602 });
  });

  it('faults 11 and 13: results keep their parts, unknown ones become placeholders', async () => {
    const client = await harness.client('jira');
    hub.onCall = async () => ({
      isError: true,
      content: [
        { type: 'text', text: 'boom' },
        { type: 'hologram', data: '?' } as never,
        { type: 'image', mimeType: 'image/png', data: 'AAAA' },
        { type: 'resource_link', uri: 'a://b', name: 'b' },
      ],
      structuredContent: { error: 'x' },
    });
    const result = await client.callTool({ name: 'ro_Get_It', arguments: {} });
    assert.equal(result.isError, true);
    assert.deepEqual(result.structuredContent, { error: 'x' });
    assert.deepEqual(
      result.content.map((block) => (block.type === 'text' ? block.text : block.type)),
      ['boom', '[jira sent a part of type "hologram" that cannot be shown.]', 'image', 'resource_link'],
    );
    hub.onCall = async () => ({ structuredContent: [1, 2] }) as never;
    assert.deepEqual((await client.callTool({ name: 'ro_Get_It', arguments: {} })).content, [
      { type: 'text', text: '[1,2]' },
    ]);
  });

  it('ends the call when the client cancels it or goes away', async () => {
    for (const how of ['cancel', 'leave']) {
      let begun = () => {};
      const running = new Promise<void>((resolve) => (begun = resolve));
      let ended = () => {};
      const aborted = new Promise<void>((resolve) => (ended = resolve));
      hub.onCall = (_ref, _args, { signal }) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => {
            ended();
            reject(new PorticoError('CANCELLED', 'The call was cancelled.'));
          });
          begun();
        });
      const session = await harness.session('jira');
      const leave = new AbortController();
      const call = open(harness.address, {
        path: harness.path('jira'),
        headers: { ...harness.headers, ...session },
        body: JSON.stringify(rpc('tools/call', { name: 'ro_Get_It', arguments: {} })),
        signal: leave.signal,
      });
      await running;
      if (how === 'cancel') {
        const notice = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } };
        assert.equal((await harness.post('jira', notice, session)).status, 202);
        (await call).resume();
      } else {
        leave.abort();
        await assert.rejects(call, { name: 'AbortError' });
      }
      await aborted;
    }
  });

  it('passes reads, prompts and completions on', async () => {
    const client = await harness.client('jira');
    const uri = 'x://h/%7Euser';
    assert.deepEqual((await client.readResource({ uri })).contents, [{ uri, text: `jira ${uri}` }]);
    await assert.rejects(client.readResource({ uri: 'missing:1' }), { code: -32_602 });
    const prompt = await client.getPrompt({ name: 'hello', arguments: { who: '' } });
    assert.deepEqual(prompt.messages[0]?.content, { type: 'text', text: '["jira","hello",{"who":""}]' });
    const completion = await client.complete({
      ref: { type: 'ref/prompt', name: 'hello' },
      argument: { name: 'who', value: 'a' },
      context: { arguments: { other: 'b' } },
    });
    assert.deepEqual(completion.completion.values, ['a!', 'b']);
  });
});
