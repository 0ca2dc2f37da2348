import { deepEqual, equal, rejects } from 'node:assert/strict';
import { ProtocolError } from '@modelcontextprotocol/client';
import type { Era } from '../../../../../src/core/connections/connectionTypes';
import type { Session } from '../../../../../src/core/connections/sessionTypes';
import { readTask } from '../../../../../src/core/connections/tasks/readTask';
import { TaskRun } from '../../../../../src/core/connections/tasks/taskRun';
import { FakeClock } from '../fakeClock';

type Fields = Record<string, unknown>;

describe('the pace of a task', () => {
  const done = { content: [{ type: 'text', text: 'done' }] };
  const refusal = new ProtocolError(-32603, 'Not yet');
  let clock: FakeClock;
  let sent: string[];
  let stop: AbortController;

  beforeEach(() => {
    clock = new FakeClock();
    sent = [];
    stop = new AbortController();
  });

  afterEach(() => stop.abort());

  const count = (method: string): number => sent.filter((each) => each === method).length;

  const pass = async (ms: number): Promise<void> => {
    await new Promise(setImmediate);
    await clock.pass(ms);
  };

  /** A task of a server that answers as it is told here; a failure is thrown. */
  const run = (era: Era, created: Fields, answers: Record<string, () => unknown>): TaskRun => {
    const report = readTask({ taskId: 't', ...created })!;
    const session = {
      request: async (method: string) => {
        sent.push(method);
        const answer = answers[method]?.();
        if (answer instanceof Error) {
          throw answer;
        }
        return method === 'tasks/get' ? { taskId: 't', ...(answer as Fields) } : answer;
      },
      beginWork: () => ({ answer: async () => ({}), dispose: () => undefined }),
      isLost: () => false,
    } as unknown as Session;
    return new TaskRun(report, {
      server: 's',
      tool: 'work',
      era,
      clock,
      isOurs: true,
      answerer: undefined,
      signal: stop.signal,
      session: async () => session,
      lost: () => undefined,
      onReport: () => undefined,
    });
  };

  it('that is over when it is created is asked once how it ended', async () => {
    const completed = { status: 'completed' };
    const whole = { ...completed, result: done };
    deepEqual(await run('stateless', completed, { 'tasks/get': () => whole }).result(), done);
    const failed = { status: 'failed', error: { code: -32603, message: 'The disk is full' } };
    const task = run('stateless', { status: 'failed' }, { 'tasks/get': () => failed });
    await rejects(task.result(), { code: -32603, message: /The disk is full/ });
    deepEqual(sent, ['tasks/get', 'tasks/get']);
  });

  it('that is over and then is not, or has nothing to show, has no result', async () => {
    for (const status of ['working', 'completed']) {
      const task = run('stateless', { status: 'completed' }, { 'tasks/get': () => ({ status }) });
      await rejects(task.result(), { code: 'TASK_LOST', message: /has completed, but has no result/ });
    }
    await rejects(run('stateless', { status: 'cancelled' }, {}).result(), { code: 'CANCELLED' });
    equal(sent.length, 2);
  });

  it('is that of its server, where the wait for its end fails at once, again and again', async () => {
    let status = 'input_required';
    const task = run(
      'session',
      { status, pollInterval: 2_000 },
      {
        'tasks/get': () => ({ status, pollInterval: 2_000 }),
        'tasks/result': () => (status === 'completed' ? done : refusal),
      },
    );
    const result = task.result();
    await pass(58_000);
    deepEqual([count('tasks/get'), count('tasks/result')], [29, 4]);
    status = 'completed';
    await pass(2_000);
    deepEqual(await result, done);
    deepEqual([count('tasks/get'), count('tasks/result')], [29, 5]);
  });

  it('is kept where the server asks something new at each poll, which ends after a few rounds', async () => {
    let key = 0;
    const asking = (): Fields => {
      key += 1;
      return { status: 'input_required', pollIntervalMs: 0, inputRequests: { [`k${key}`]: { method: 'roots/list' } } };
    };
    const task = run('stateless', asking(), { 'tasks/get': asking, 'tasks/update': () => ({}) });
    const rejected = rejects(task.result(), {
      code: 'REPLY_INVALID',
      message:
        '"s" still wanted input for the task of work after 10 rounds, so it was given up. Ask its author to mend it.',
    });
    await pass(1_000);
    deepEqual([count('tasks/get'), count('tasks/update')], [2, 3]);
    await pass(60_000);
    await rejected;
    deepEqual([count('tasks/get'), count('tasks/update')], [10, 10]);
  });

  it('is kept where the server tells of it all the time', async () => {
    const working = { status: 'working', pollIntervalMs: 1_000 };
    const task = run('stateless', working, { 'tasks/get': () => working });
    const result = task.result();
    for (let told = 0; told < 100; told += 1) {
      task.told(readTask({ taskId: 't', ...working })!);
      await pass(10);
    }
    await pass(0);
    equal(count('tasks/get'), 1);
    task.told(readTask({ taskId: 't', status: 'completed', result: done })!);
    deepEqual(await result, done);
    equal(count('tasks/get'), 1);
  });
});
