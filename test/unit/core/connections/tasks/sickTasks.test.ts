import assert from 'node:assert/strict';
import { openTestHub, type TestHub } from '../../../../harness/testHub';
import { until, WireTrace } from '../until';

const caller = { kind: 'manual', label: 'Run Tool' } as const;

describe('tasks of sick servers', function () {
  this.timeout(20_000);
  let opened: TestHub;
  let wire: WireTrace;
  const open = async (habit: string) => {
    wire = new WireTrace();
    const command = { command: process.execPath, cwd: process.cwd(), env: wire.env };
    opened = await openTestHub({ sick: { ...command, args: ['test/fixtures/servers/sickTasks.mjs', habit] } });
    return opened.hub;
  };
  const call = (signal?: AbortSignal) =>
    opened.hub.callTool({ server: 'sick', name: 'work' }, {}, { caller, ...(signal ? { signal } : {}) });
  const count = (method: string): number => wire.methods.filter((each) => each === method).length;
  afterEach(async () => {
    await opened.close();
    wire.dispose();
  });

  it('can be cancelled where they never end, and the server is told by the task, not by the request', async () => {
    const hub = await open('neverEnds');
    const abort = new AbortController();
    const never = call(abort.signal);
    await until(() => hub.tasks.value[0]?.status === 'working');
    assert.equal(hub.tasks.peek()[0]?.statusMessage, 'I am on it');
    assert.equal(hub.callLog.records.peek()[0]?.outcome, 'running');
    abort.abort();
    await assert.rejects(never, { code: 'CANCELLED' });
    await until(() => hub.tasks.value[0]?.status === 'cancelled');
    assert.equal(hub.callLog.records.peek()[0]?.outcome, 'cancelled');
    assert.deepEqual([count('tasks/cancel'), count('notifications/cancelled')], [1, 0]);
  });

  it('can be cancelled from their row, and who waits for the call is told', async () => {
    const hub = await open('neverEnds');
    const never = call();
    const rejected = assert.rejects(never, { code: 'CANCELLED' });
    await until(() => hub.tasks.value.length === 1);
    await hub.cancelTask('sick', 'the-task');
    await rejected;
    assert.equal(hub.tasks.peek()[0]?.status, 'cancelled');
    assert.equal(await hub.taskResult('sick', 'the-task'), undefined);
  });

  it('stay ended, whatever the server says later', async () => {
    const hub = await open('backwards');
    assert.deepEqual((await call()).content, [{ type: 'text', text: 'after 2 polls' }]);
    await hub.cancelTask('sick', 'the-task');
    assert.equal(hub.tasks.peek()[0]?.status, 'completed');
    assert.equal(count('tasks/cancel'), 0);
  });

  it('are polled in bounds, whatever interval they name', async () => {
    await open('pollsAtOnce');
    const began = Date.now();
    await call();
    assert.equal(count('tasks/get'), 3);
    assert.ok(Date.now() - began >= 1_400);
  });

  for (const habit of ['withoutResult', 'emptyResult']) {
    it(`fail where there is no result at the end (${habit})`, async () => {
      const hub = await open(habit);
      await assert.rejects(call(), { code: 'TASK_LOST', message: /has completed, but has no result/ });
      assert.equal(hub.tasks.peek()[0]?.status, 'failed');
      assert.equal(hub.callLog.records.peek()[0]?.outcome, 'failed');
    });
  }

  it('fail where the server does not know them any more', async () => {
    await open('unknown');
    await assert.rejects(call(), { code: 'TASK_LOST', message: /"sick" no longer knows the task of work/ });
  });

  it('fail with the error that the call would have got', async () => {
    await open('failing');
    await assert.rejects(call(), { code: -32000, message: /No space left/ });
  });

  it('fail where there is no id to ask for', async () => {
    const hub = await open('withoutId');
    await assert.rejects(call(), { code: 'REPLY_INVALID' });
    assert.deepEqual(hub.tasks.peek(), []);
  });

  it('fail where nothing that the server says of them can be read', async () => {
    await open('odd');
    await assert.rejects(call(), { code: 'REPLY_INVALID' });
  });

  it('fail when the process ends that they lived in', async () => {
    const hub = await open('exits');
    await assert.rejects(call(), { code: 'SERVER_EXITED' });
    assert.equal(hub.tasks.peek()[0]?.status, 'failed');
    assert.equal(hub.tasks.peek()[0]?.problem?.code, 'SERVER_EXITED');
  });
});
