import assert from 'node:assert/strict';
import { ProtocolError } from '@modelcontextprotocol/client';
import { PorticoError } from '../../../../src/base/errors';
import type { Connection, ProgressUpdate } from '../../../../src/core/connections/connectionTypes';
import { tracedConnections } from './testConnection';
import { eventually, until } from './until';

const start = { interactive: false } as const;

describe('requests', () => {
  const { wire, traced } = tracedConnections();
  const cancels = (): number => wire.methods.filter((method) => method === 'notifications/cancelled').length;

  it('fault 41: late answers and unknown messages are ignored, the same process goes on', async () => {
    const { connection } = traced('lateMessages.mjs');
    await connection.start(start);
    const abort = new AbortController();
    const hanging = connection.callTool('hang', {}, { signal: abort.signal });
    await eventually(() => wire.methods.includes('tools/call'));
    abort.abort();
    await assert.rejects(hanging, { code: 'CANCELLED' });
    await eventually(() => cancels() === 1);
    const updates: ProgressUpdate[] = [];
    const result = await connection.callTool('echo', {}, { onProgress: (update) => updates.push(update) });
    assert.deepEqual(result.content, [{ type: 'text', text: 'done' }]);
    assert.deepEqual(updates[0], { progress: 1, total: 2, message: 'half' });
    const heard = updates.length;
    await connection.callTool('echo', {});
    assert.equal(updates.length, heard);
    const refusals = () => wire.entries.flatMap(({ id, error }) => (error ? [[id, error.code]] : []));
    // The server takes them down when it reads them, which may be after its answers.
    await eventually(() => refusals().length >= 2);
    assert.deepEqual(refusals().slice(0, 2), [
      ['odd', -32602],
      [7, -32600],
    ]);
    assert.equal(connection.state.value.kind, 'ready');
    assert.equal(wire.pids.length, 1);
  });

  it('tells the server to stop when a request runs out of time, and says so differently', async () => {
    const { connection } = traced('lateMessages.mjs');
    await connection.start(start);
    await assert.rejects(connection.callTool('hang', {}, { timeoutMs: 100 }), {
      code: 'TIMEOUT',
      message: /within 0\.1 s/,
    });
    await eventually(() => cancels() === 1);
    assert.equal(connection.state.value.kind, 'ready');
  });

  it('always sends a progress token, and passes meta on', async () => {
    const { connection } = traced('lateMessages.mjs');
    await connection.callTool('echo', { a: 1 }, { meta: { traceparent: 't' } });
    const call = wire.entries.find(({ method }) => method === 'tools/call');
    const { progressToken, ...meta } = call?.params?.['_meta'] as Record<string, unknown>;
    assert.notEqual(progressToken, undefined);
    assert.deepEqual(meta, { traceparent: 't' });
    assert.deepEqual(call?.params?.['arguments'], { a: 1 });
  });

  const complete = (connection: Connection): Promise<unknown> =>
    connection
      .complete({ type: 'ref/prompt', name: 'p' }, { name: 'a', value: '' }, undefined)
      .catch((cause: unknown) => cause);

  it('leaves errors of the wire as they are, such as of 2024-11-05, which could not declare completions', async () => {
    const error = await complete(traced('anyVersion.mjs', ['2024-11-05']).connection);
    assert.equal(error instanceof ProtocolError && error.code, -32601);
  });

  for (const version of ['2025-03-26', '2025-06-18', '2025-11-25']) {
    it(`asks a server of ${version} that does not declare completions for none`, async () => {
      const error = await complete(traced('anyVersion.mjs', [version]).connection);
      assert.equal(PorticoError.is(error) && error.code, 'NOT_SUPPORTED');
      assert.equal(wire.methods.includes('completion/complete'), false);
    });
  }

  it('asks a stateless server that does not declare completions for none', async () => {
    const error = await complete(traced('stateless.mjs').connection);
    assert.equal(PorticoError.is(error) && error.code, 'NOT_SUPPORTED');
    assert.equal(wire.methods.includes('completion/complete'), false);
  });

  it('sends nothing for what the server does not declare', async () => {
    const { connection } = traced('plain.mjs');
    await assert.rejects(connection.readResource('x://y'), { code: 'NOT_SUPPORTED' });
    await assert.rejects(connection.getPrompt('p', {}), { code: 'NOT_SUPPORTED' });
    assert.equal(wire.methods.includes('resources/read') || wire.methods.includes('prompts/get'), false);
  });

  it('rejects what waits with the reason of the stop', async () => {
    const { connection } = traced('lateMessages.mjs');
    await connection.start(start);
    const reason = new PorticoError('CONNECTION_LOST', 'The configuration changed.');
    const outcome = assert.rejects(connection.callTool('hang', {}), reason);
    await connection.stop(reason);
    await outcome;
  });

  it('takes an odd handshake, and fails at once on a reply that is none', async () => {
    const { connection } = traced('oddReplies.mjs');
    await connection.start(start);
    assert.deepEqual(
      connection.lists.value.tools.items.map(({ name }) => name),
      ['echo'],
    );
    await assert.rejects(connection.callTool('echo', { result: [1, 2] }), {
      code: 'REPLY_INVALID',
      message: '"srv" answered with a result that is no object: {"result":[1,2]}',
    });
    const result = { resultType: 'input_required', inputRequests: {}, content: [] };
    assert.deepEqual(await connection.callTool('echo', { result }), result);
  });

  it('takes no result for one that has no list of content', async () => {
    const { connection } = traced('oddReplies.mjs');
    for (const [result, reason] of [
      [{ content: 'nope' }, 'with "content" that is no list: "nope"'],
      [
        { content: { type: 'text', text: '\u001bx' } },
        'with "content" that is no list: {"type":"text","text":"\\u001bx"}',
      ],
      [{ content: 'x'.repeat(10_000), isError: true }, `with "content" that is no list: "${'x'.repeat(199)}…`],
    ] as const) {
      const message = `"srv" answered tools/call ${reason}. The tool may have run all the same. Only the server's author can correct it.`;
      await assert.rejects(connection.callTool('echo', { result }), { code: 'REPLY_INVALID', message });
    }
  });

  it('takes what a result says where its content is missing, or its flag is no flag', async () => {
    const { connection } = traced('oddReplies.mjs');
    const content: never[] = [];
    for (const [result, read] of [
      [{}, { content }],
      [{ isError: true }, { content, isError: true }],
      [
        { content: null, structuredContent: { a: 1 } },
        { content, structuredContent: { a: 1 } },
      ],
      [
        { content, structuredContent: null, isError: 'true', _meta: null },
        { content, isError: true },
      ],
      [
        { content, isError: null },
        { content, isError: false },
      ],
    ] as const) {
      assert.deepEqual(await connection.callTool('echo', { result }), read);
    }
  });

  it('takes what a reply means, and an error that names no request for the only one that waits', async () => {
    const { connection } = traced('oddReplies.mjs');
    const content: never[] = [];
    assert.deepEqual(await connection.callTool('echo', { result: { content }, error: null }), { content });
    for (const [reply, message] of [
      [{ error: { code: 1.5, message: 'half' } }, 'half'],
      [{ result: null, error: 'no' }, 'no'],
      [{ id: null, error: { code: -32700, message: 'Parse error' } }, 'Parse error'],
    ] as const) {
      await assert.rejects(connection.callTool('echo', reply), { message });
    }
  });

  it('leaves an error that names no request to nobody where the answer follows', async () => {
    const { connection } = traced('doubleAnswers.mjs');
    assert.deepEqual((await connection.callTool('echo', { a: 1 })).content, [{ type: 'text', text: '{"a":1}' }]);
  });

  it('rejects at once what waits when the server is stopped', async () => {
    const { connection } = traced('lateMessages.mjs');
    await connection.start(start);
    const hanging = connection.callTool('hang', {});
    const outcome = assert.rejects(hanging, { code: 'CONNECTION_LOST', message: '"srv" was stopped.' });
    await connection.stop();
    await outcome;
    await until(() => connection.state.value.kind === 'stopped');
  });
});
