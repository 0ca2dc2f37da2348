import assert from 'node:assert/strict';
import { openTestHub, type TestHub } from '../../../../harness/testHub';
import type { HubDependencies } from '../../../../../src/core/hub';
import { until } from '../until';
import { type FixtureServer, startFixture } from '../../../../harness/httpFixture';

const caller = { kind: 'chat', label: 'chat' } as const;

describe('tasks of 2026-07-28', function () {
  this.timeout(20_000);
  let opened: TestHub;
  let server: FixtureServer | undefined;
  const asked: string[] = [];
  const open = async (entry: object, options: Partial<HubDependencies> = {}) => {
    asked.length = 0;
    opened = await openTestHub(
      { later: entry },
      {
        ...options,
        elicitationUi: {
          ask: async ({ message }) => {
            asked.push(message);
            return { action: 'accept', content: { colour: 'green' } };
          },
        },
      },
    );
    await opened.hub.start('later', { interactive: false });
    return opened.hub;
  };
  const stdio = {
    command: process.execPath,
    cwd: process.cwd(),
    args: ['test/fixtures/servers/statelessTasks.mjs'],
  };
  const call = async (name: string, signal?: AbortSignal) => {
    const ref = { server: 'later', name };
    const { content } = await opened.hub.callTool(ref, {}, { caller, ...(signal ? { signal } : {}) });
    const [first] = content;
    return first?.type === 'text' ? first.text : '';
  };
  afterEach(async () => {
    await opened.close();
    await server?.close();
    server = undefined;
  });

  it('end with the result of the call, which the server makes a task or not', async () => {
    const hub = await open(stdio);
    assert.equal(await call('quick'), 'at once');
    assert.deepEqual(hub.tasks.peek(), []);
    const { heard } = JSON.parse(await call('work'));
    const poll = { method: 'tasks/get', taskId: 'task-1', declared: true };
    assert.deepEqual(heard, [poll, poll, poll]);
    assert.equal(hub.tasks.peek()[0]?.status, 'completed');
  });

  it('keep their server running while they go on, and not longer', async () => {
    // It is asked every half second.
    const limits = { idleMs: 200, startMs: 10_000, requestMs: 10_000, messageBytes: 1_048_576, concurrentStarts: 1 };
    const hub = await open(stdio, { limits });
    assert.equal(JSON.parse(await call('work')).heard.length, 3);
    await until(() => hub.server('later')?.status.value.kind === 'stopped');
  });

  it('name the task in a header over HTTP, for whoever routes by it', async () => {
    server = await startFixture('statelessTasks.mjs', 'http');
    await open({ url: server.url });
    const { heard } = JSON.parse(await call('work'));
    assert.deepEqual(
      heard.map(({ name }: { name: string }) => name),
      ['task-1', 'task-1', 'task-1'],
    );
  });

  it('ask once, however often the question comes, and go on with the answer', async () => {
    await open(stdio);
    const { answers, heard } = JSON.parse(await call('ask'));
    assert.deepEqual(asked, ['Which colour?']);
    assert.deepEqual(answers, { colour: { action: 'accept', content: { colour: 'green' } } });
    assert.equal(heard.filter(({ method }: { method: string }) => method === 'tasks/update').length, 1);
  });

  it('fail with the error that the call would have got', async () => {
    await open(stdio);
    await assert.rejects(call('refuse'), { code: -32603, message: /The disk is full/ });
  });

  it('are left alone where the server goes on after it was asked to stop', async () => {
    const hub = await open(stdio);
    const abort = new AbortController();
    const stubborn = call('stubborn', abort.signal);
    await until(() => hub.tasks.value.length === 1);
    abort.abort();
    await assert.rejects(stubborn, { code: 'CANCELLED' });
    await until(() => hub.tasks.value[0]?.status === 'cancelled');
  });
});
