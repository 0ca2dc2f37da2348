import assert from 'node:assert/strict';
import { openTestHub } from '../../../../harness/testHub';

const caller = { kind: 'manual', label: 'Run Tool' } as const;
const everything = {
  cwd: process.cwd(),
  command: process.execPath,
  args: ['node_modules/@modelcontextprotocol/server-everything/dist/index.js', 'stdio'],
};
const research = { server: 'everything', name: 'simulate-research-query' };

describe('tasks of server-everything', function () {
  this.timeout(30_000);

  it('gives the result of a tool that runs as a task only', async () => {
    const { hub, close } = await openTestHub({ everything });
    try {
      await hub.start('everything', { interactive: false });
      const messages: (string | undefined)[] = [];
      const statuses = new Set<string>();
      const result = await hub.callTool(
        research,
        { topic: 'porticos', ambiguous: false },
        {
          caller,
          onProgress: ({ message }) => {
            messages.push(message);
            for (const task of hub.tasks.peek()) {
              statuses.add(task.status);
            }
          },
        },
      );
      assert.match(JSON.stringify(result.content), /Research Report: porticos/);
      assert.ok(
        messages.includes('Gathering sources...') || messages.includes('Analyzing content...'),
        messages.join(),
      );
      const [task] = hub.tasks.peek();
      assert.equal(task?.status, 'completed');
      assert.deepEqual([...statuses], ['working']);
      assert.deepEqual(await hub.taskResult('everything', task.id), result);
      assert.equal(hub.callLog.records.peek()[0]?.outcome, 'ok');
    } finally {
      await close();
    }
  });

  it('lets its question be answered within the task', async () => {
    const asked: string[] = [];
    const { hub, close } = await openTestHub(
      { everything },
      {
        elicitationUi: {
          ask: async ({ message }) => {
            asked.push(message);
            return { action: 'accept', content: { interpretation: 'snake' } };
          },
        },
      },
    );
    try {
      await hub.start('everything', { interactive: false });
      const result = await hub.callTool(research, { topic: 'python', ambiguous: true }, { caller });
      assert.equal(asked.length, 1);
      assert.match(JSON.stringify(result.content), /python \(snake\)/);
    } finally {
      await close();
    }
  });
});
