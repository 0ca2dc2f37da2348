import assert from 'node:assert/strict';
import {
  CallToolAsTaskRequestV1Schema,
  CancelTaskRequestV1Schema,
  GetTaskRequestV1Schema,
  GetTaskResultRequestV1Schema,
  shouldCallToolAsTaskV1,
} from '@modelcontextprotocol/ext-tasks/core/v1';
import type { Tool } from '@modelcontextprotocol/client';
import { taskParam } from '../../../../../src/core/connections/tasks/callAsTask';
import { openTestHub } from '../../../../harness/testHub';
import { until, WireTrace } from '../until';

const caller = { kind: 'manual', label: 'Run Tool' } as const;

/** Held against the official package, which was written by others from the same text. */
describe('tasks of 2025-11-25 on the wire', function () {
  this.timeout(20_000);

  it('are asked for where the official package would, and nowhere else', () => {
    for (const taskSupport of ['required', 'optional', 'forbidden', undefined] as const) {
      for (const tasks of [undefined, {}, { requests: { tools: {} } }, { requests: { tools: { call: {} } } }]) {
        for (const inBackground of [true, false]) {
          const tool: Tool = {
            name: 'work',
            inputSchema: { type: 'object' },
            ...(taskSupport === undefined ? {} : { execution: { taskSupport } }),
          };
          const info = {
            era: 'session',
            protocolVersion: '2025-11-25',
            serverInfo: { name: 's', version: '1' },
          } as const;
          const capabilities = tasks === undefined ? {} : { tasks };
          const task = taskParam({ ...info, capabilities }, () => tool, { inBackground, isSlow: false });
          const expected = shouldCallToolAsTaskV1(tasks ?? {}, tool as never, inBackground);
          assert.equal(task !== undefined, expected, JSON.stringify({ taskSupport, tasks, inBackground }));
        }
      }
    }
  });

  it('are requests as the official package has them', async () => {
    const wire = new WireTrace();
    const entry = (habit: string) => ({
      command: process.execPath,
      cwd: process.cwd(),
      env: wire.env,
      args: ['test/fixtures/servers/sickTasks.mjs', habit],
    });
    const { hub, close } = await openTestHub({ ends: entry('backwards'), never: entry('neverEnds') });
    try {
      await hub.callTool({ server: 'ends', name: 'work' }, { some: 'thing' }, { caller });
      const never = assert.rejects(hub.callTool({ server: 'never', name: 'work' }, {}, { caller }));
      await until(() => hub.tasks.value.length === 2);
      await hub.cancelTask('never', 'the-task');
      await never;
      const schemas = {
        'tools/call': CallToolAsTaskRequestV1Schema,
        'tasks/get': GetTaskRequestV1Schema,
        'tasks/result': GetTaskResultRequestV1Schema,
        'tasks/cancel': CancelTaskRequestV1Schema,
      };
      for (const [method, schema] of Object.entries(schemas)) {
        const sent = wire.entries.filter((each) => each.method === method);
        assert.ok(sent.length > 0, method);
        for (const message of sent) {
          assert.equal(schema.safeParse(message).error, undefined, method);
        }
      }
    } finally {
      await close();
      wire.dispose();
    }
  });
});
