import assert from 'node:assert/strict';
import { MemoryStore } from '../../../../../src/base/storage';
import { openTestHub } from '../../../../harness/testHub';
import { until } from '../until';
import { type FixtureServer, startFixture } from '../../../../harness/httpFixture';

const manual = { kind: 'manual', label: 'Run Tool' } as const;
const chat = { kind: 'chat', label: 'chat' } as const;

describe('tasks over a reload of the window', function () {
  this.timeout(20_000);
  let server: FixtureServer;
  beforeEach(async () => {
    server = await startFixture('tasksHttp.mjs');
  });
  afterEach(() => server.close());
  const ref = { server: 'far', name: 'required' };

  /** A window that closes while a task goes on. */
  const closeWith = async (workspaceState: MemoryStore) => {
    const { hub, close } = await openTestHub({ far: { url: server.url } }, { workspaceState });
    await hub.start('far', { interactive: false });
    const call = hub.callTool(ref, {}, { caller: manual });
    const rejected = assert.rejects(call, { code: 'CONNECTION_LOST', message: /the task goes on at its server/ });
    await until(() => hub.tasks.value[0]?.statusMessage === 'Half way');
    await close();
    await rejected;
    return hub.tasks.peek()[0]?.id;
  };

  it('go on: the next window takes them up, and their result becomes that of the call', async () => {
    const workspaceState = new MemoryStore();
    const id = await closeWith(workspaceState);
    const { hub, close } = await openTestHub({ far: { url: server.url } }, { workspaceState });
    try {
      await until(() => hub.tasks.value.length === 1);
      const [task] = hub.tasks.peek();
      assert.deepEqual([task?.id, task?.status, task?.background, task?.tool], [id, 'working', true, 'required']);
      const record = () => hub.callLog.records.value.find((each) => each.id === task?.call);
      assert.equal(record()?.outcome, 'running');
      await server.control('/finish');
      await until(() => hub.tasks.value[0]?.status === 'completed');
      await until(() => record()?.outcome === 'ok');
      assert.match(JSON.stringify(await hub.taskResult('far', String(id))), /finished after/);
      assert.equal(workspaceState.get('tasks.open'), undefined);
    } finally {
      await close();
    }
  });

  it('fail where the server has lost them meanwhile', async () => {
    const workspaceState = new MemoryStore();
    await closeWith(workspaceState);
    await server.control('/forget');
    const { hub, close } = await openTestHub({ far: { url: server.url } }, { workspaceState });
    try {
      await until(() => hub.tasks.value[0]?.status === 'failed');
      assert.equal(hub.tasks.peek()[0]?.problem?.code, 'TASK_LOST');
    } finally {
      await close();
    }
  });

  it('are not asked for under another address', async () => {
    const workspaceState = new MemoryStore();
    await closeWith(workspaceState);
    const other = await startFixture('tasksHttp.mjs');
    const { hub, close } = await openTestHub({ far: { url: other.url } }, { workspaceState });
    try {
      await hub.start('far', { interactive: false });
      assert.deepEqual(hub.tasks.peek(), []);
      assert.deepEqual(await other.control('/calls'), { running: 0, calls: [] });
      assert.equal(workspaceState.get('tasks.open'), undefined);
    } finally {
      await close();
      await other.close();
    }
  });

  it('are listed where another window began them, all pages of them, and their results can be had', async () => {
    const first = await openTestHub({ far: { url: server.url } });
    const second = await openTestHub({ far: { url: server.url } });
    try {
      const calls = Array.from({ length: 12 }, () => first.hub.callTool(ref, {}, { caller: manual }));
      await until(() => first.hub.tasks.value.length === 12);
      await second.hub.start('far', { interactive: true });
      await until(() => second.hub.tasks.value.length === 12);
      assert.deepEqual(second.hub.callLog.records.peek(), []);
      await server.control('/finish');
      await Promise.all(calls);
      await until(() => second.hub.tasks.value.every(({ status }) => status === 'completed'));
      const [task] = second.hub.tasks.peek();
      assert.match(JSON.stringify(await second.hub.taskResult('far', task?.id ?? '')), /finished after/);
    } finally {
      await first.close();
      await second.close();
    }
  });

  it('are asked for by those who need no answer at once, where a tool may run either way', async () => {
    const { hub, close } = await openTestHub({ far: { url: server.url } });
    try {
      await hub.start('far', { interactive: false });
      const optional = { server: 'far', name: 'optional' };
      const [byChat, byHand] = [
        hub.callTool(optional, {}, { caller: chat }),
        hub.callTool(optional, {}, { caller: manual }),
      ];
      await until(() => hub.tasks.value.length === 1);
      await server.control('/finish');
      await Promise.all([byChat, byHand]);
      const { calls } = (await server.control('/calls')) as { calls: { method: string; params: { task?: object } }[] };
      const asTask = calls.filter(({ method }) => method === 'tools/call').map(({ params }) => params.task);
      assert.deepEqual(asTask, [undefined, { ttl: 86_400_000 }]);
    } finally {
      await close();
    }
  });
});
