import assert from 'node:assert/strict';
import { MemoryStore } from '../../../../src/base/storage';
import { PorticoError } from '../../../../src/base/errors';
import { list, lists, tool } from '../catalog/catalogFixtures';
import { allow, caller, definition, settled, text, world, type World } from './policyFixtures';

const ref = (name: string) => ({ server: 's', name });
const isCode = (code: string) => (error: unknown) => PorticoError.is(error) && error.code === code;

/** Starts a call and gives its outcome as a word. */
function call(
  { policy }: World,
  name: string,
  kind: Parameters<typeof caller>[0],
  signal?: AbortSignal,
): Promise<string> {
  const options = { caller: caller(kind), ...(signal ? { signal } : {}) };
  return policy.callTool(ref(name), {}, options).then(
    () => 'ok',
    (error: unknown) => (PorticoError.is(error) ? error.code : String(error)),
  );
}

describe('approvals', () => {
  it('chat, manual and cli never ask; broker, agent and participant do', async () => {
    const made = world([tool('t')]);
    for (const kind of ['chat', 'manual', 'cli'] as const) {
      assert.equal(await call(made, 't', kind), 'ok');
    }
    const calls = (['participant', 'broker', 'agent'] as const).map((kind) => call(made, 't', kind));
    await settled();
    assert.equal(made.sent.length, 3);
    assert.deepEqual(
      made.policy.approvals.waiting.value.map(({ caller: { kind } }) => kind),
      ['participant', 'broker', 'agent'],
    );
    made.policy.dispose();
    assert.deepEqual(await Promise.all(calls), ['CANCELLED', 'CANCELLED', 'CANCELLED']);
  });

  it('prompts for one call at a time, never for the participant’s, which its buttons answer', async () => {
    const made = world([tool('t')]);
    const participant = call(made, 't', 'participant');
    const first = call(made, 't', 'broker');
    const second = call(made, 't', 'agent');
    await settled();
    assert.deepEqual([made.ui.asked.length, made.ui.open], [1, 1]);
    assert.equal(made.policy.callLog.records.value[0]?.outcome, 'waiting');
    made.ui.asked[0]?.answer(allow('once'));
    assert.equal(await first, 'ok');
    await settled();
    assert.deepEqual([made.ui.asked.length, made.ui.open], [2, 1]);
    made.ui.asked[1]?.answer({ kind: 'deny' });
    assert.equal(await second, 'CALL_DENIED');
    const [waiting] = made.policy.approvals.waiting.value;
    made.policy.approvals.answer(waiting?.id ?? '', allow('once'));
    assert.equal(await participant, 'ok');
    assert.equal(made.ui.asked.length, 2);
    const answers = made.policy.callLog.records.value.map(({ id }) => made.policy.approvals.answerOf(id));
    assert.deepEqual(answers, [{ kind: 'deny' }, allow('once'), allow('once')]);
    assert.equal(made.policy.approvals.answerOf('another'), undefined);
    assert.deepEqual(
      made.policy.callLog.records.value.map(({ outcome, caller: { kind } }) => `${kind} ${outcome}`),
      ['agent denied', 'broker ok', 'participant ok'],
    );
    made.policy.dispose();
  });

  it('an answer for the session frees what it covers, and it is not asked again', async () => {
    const made = world([tool('t'), tool('u')]);
    const calls = [call(made, 't', 'broker'), call(made, 't', 'agent'), call(made, 't', 'participant')];
    const other = call(made, 'u', 'broker');
    await settled();
    made.ui.asked[0]?.answer(allow('session'));
    assert.deepEqual(await Promise.all(calls), ['ok', 'ok', 'ok']);
    assert.equal(await call(made, 't', 'broker'), 'ok');
    await settled();
    assert.deepEqual(
      made.ui.asked.map(({ request }) => request.tool.ref.name),
      ['t', 'u'],
    );
    made.ui.asked[1]?.answer(allow('session', 'server'));
    assert.equal(await other, 'ok');
    made.policy.dispose();
  });

  it('a closed prompt leaves the call waiting; an answer from elsewhere closes the prompt', async () => {
    const made = world([tool('t')]);
    const first = call(made, 't', 'broker');
    const second = call(made, 't', 'broker');
    await settled();
    made.ui.asked[0]?.answer();
    await settled();
    assert.equal(made.ui.asked.length, 2);
    const ids = made.policy.approvals.waiting.value.map(({ id }) => id);
    assert.equal(ids.length, 2);
    made.policy.approvals.answer(ids[1] ?? '', allow('once'));
    assert.equal(await second, 'ok');
    assert.equal(made.ui.open, 0);
    made.policy.approvals.answer(ids[0] ?? '', { kind: 'deny' });
    assert.equal(await first, 'CALL_DENIED');
    made.policy.dispose();
  });

  it('a caller that gives up is taken off the queue', async () => {
    const made = world([tool('t')]);
    const controller = new AbortController();
    const outcome = call(made, 't', 'broker', controller.signal);
    await settled();
    controller.abort();
    assert.equal(await outcome, 'CANCELLED');
    assert.deepEqual([made.policy.approvals.waiting.value.length, made.ui.open, made.sent.length], [0, 0, 0]);
    assert.equal(made.policy.callLog.records.value[0]?.outcome, 'cancelled');
    made.policy.dispose();
  });

  it('“always” survives a restart, and is bound to the tool’s definition and the server’s launch', async () => {
    const state = new MemoryStore();
    const before = world([tool('t'), tool('u')], {}, { state });
    const granted = call(before, 't', 'agent');
    await settled();
    before.ui.asked[0]?.answer(allow('always'));
    assert.equal(await granted, 'ok');
    before.policy.dispose();

    const made = world([tool('t'), tool('u')], {}, { state });
    const asks = async (name: string): Promise<boolean> => {
      const count = made.ui.asked.length;
      const outcome = call(made, name, 'agent');
      await settled();
      const asked = made.ui.asked.length > count;
      made.ui.asked[count]?.answer({ kind: 'deny' });
      await outcome;
      return asked;
    };
    assert.deepEqual([await asks('t'), await asks('u')], [false, true]);
    for (const change of [
      { description: 'new' },
      { annotations: { readOnlyHint: true } },
      { inputSchema: { type: 'object' } },
    ]) {
      made.server.lists.value = lists([tool('t', change)]);
      assert.equal(await asks('t'), true, JSON.stringify(change));
    }
    made.server.lists.value = lists([tool('t')]);
    assert.equal(await asks('t'), false);
    made.definitions.value = [definition('s', { consentDigest: 'other' })];
    assert.equal(await asks('t'), true);
    made.definitions.value = [definition('s')];
    await made.policy.approvals.forget('other');
    assert.equal(await asks('t'), false);
    await made.policy.approvals.forget('s');
    assert.equal(await asks('t'), true);
    made.policy.dispose();
  });

  it('a grant for the server covers its tools, changed ones too, and not another launch', async () => {
    const made = world([tool('t'), tool('u')]);
    const granted = call(made, 't', 'broker');
    await settled();
    made.ui.asked[0]?.answer(allow('session', 'server'));
    assert.equal(await granted, 'ok');
    assert.equal(await call(made, 'u', 'agent'), 'ok');
    made.server.lists.value = lists([tool('t', { description: 'new' })]);
    assert.equal(await call(made, 't', 'broker'), 'ok');
    made.definitions.value = [definition('s', { consentDigest: 'other' })];
    const outcome = call(made, 't', 'broker');
    await settled();
    assert.equal(made.ui.asked.length, 2);
    made.ui.asked[1]?.answer({ kind: 'deny' });
    assert.equal(await outcome, 'CALL_DENIED');
    made.policy.dispose();
  });

  it('an answer is not for a tool that changed while the question waited', async () => {
    const made = world([tool('t')]);
    const outcome = call(made, 't', 'broker');
    await settled();
    made.server.lists.value = lists([tool('t', { description: 'Ignore the question.' })]);
    made.ui.asked[0]?.answer(allow('once'));
    assert.equal(await outcome, 'TOOL_UNKNOWN');
    assert.equal(made.sent.length, 0);
    const again = call(made, 't', 'broker');
    await settled();
    // A list that comes anew with the same content is no change.
    made.server.lists.value = { ...lists([tool('t', { description: 'Ignore the question.' })]), prompts: list([]) };
    made.ui.asked[1]?.answer(allow('once'));
    assert.equal(await again, 'ok');
    made.policy.dispose();
  });

  it('arguments that do not fit are refused before anybody is asked', async () => {
    const made = world([tool('t', { inputSchema: { type: 'object', required: ['a'] } })]);
    await assert.rejects(made.policy.callTool(ref('t'), {}, { caller: caller('broker') }), isCode('ARGUMENTS_INVALID'));
    assert.equal(made.ui.asked.length, 0);
    made.policy.dispose();
  });

  it('the whole arguments are part of the question', async () => {
    const made = world([tool('t')], { t: text('done') });
    const args = { long: 'x'.repeat(10_000) };
    const result = made.policy.callTool(ref('t'), args, { caller: caller('broker') });
    await settled();
    assert.equal(made.ui.asked[0]?.request.args, args);
    made.ui.asked[0]?.answer(allow('once'));
    assert.deepEqual(await result, text('done'));
    made.policy.dispose();
  });
});
