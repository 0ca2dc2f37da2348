import { effect } from '@preact/signals-core';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { type Disposable, toDisposable } from '../../../base/disposable';
import { PorticoError } from '../../../base/errors';
import { quoted } from '../../../base/quoted';
import { orAborted } from '../../../base/orAborted';
import type { EditorParts } from '../editorParts';
import type { EditorTaskInfo, EditorTaskRun } from '../editorTypes';
import type { AgentClient } from '../../serverTypes';
import type { EditorTool } from '../offerTypes';
import { refusedByPerson } from '../edits/editOutcome';
import { longestWaitMs } from '../pendingWork';
import { answer, defineTool, listOf, objectSchema, word } from '../toolSchemas';

const text = { type: 'string' } as const;
/** Of the output, the newest end of it, in characters. */
const maxOutput = 16_000;
const maxRuns = 50;
const defaultWaitMs = 20_000;
/** The editor gives a terminal five seconds to end by itself. */
const stopWaitMs = 15_000;

const waitMs = {
  type: 'integer',
  minimum: 0,
  maximum: longestWaitMs,
  description: 'How long to wait for its end. Default 20000.',
} as const;
const runSchema = objectSchema(
  {
    state: { type: 'string', enum: ['running', 'ended', 'refused', 'waiting'] },
    handle: text,
    run: { type: 'string', description: 'Give it to get_task_run.' },
    task: text,
    exitCode: { type: 'integer' },
    output: text,
    outputCut: { type: 'boolean', description: 'Only the newest part is given.' },
  },
  ['state'],
);

/** Tasks of the workspace: listed, run where the person agrees, and looked at while they run. */
export function taskTools(parts: EditorParts): readonly EditorTool[] {
  const runs = new Map<string, { readonly client: string; readonly run: EditorTaskRun }>();
  return [listTasks(parts), runTask(parts, runs), getTaskRun(parts, runs), stopTask(parts, runs)];
}

type Runs = Map<string, { readonly client: string; readonly run: EditorTaskRun }>;

function listTasks({ ports }: EditorParts): EditorTool {
  return defineTool({
    name: 'list_tasks',
    title: 'Tasks of the workspace',
    description: 'Build, test and other tasks that the editor knows, from tasks.json and from extensions.',
    group: 'read',
    input: {},
    output: objectSchema(
      {
        tasks: listOf(
          objectSchema({ id: text, name: text, source: text, group: text, detail: text }, ['id', 'name', 'group']),
        ),
      },
      ['tasks'],
    ),
    async run() {
      const tasks = sorted(await ports.tasks.list()).slice(0, 200);
      const lines = tasks.map(({ id, name, source, group }) => `${name} [${group}, ${source}] id ${id}`);
      return answer({ tasks }, lines.join('\n') || 'There are no tasks.');
    },
  });
}

function sorted(tasks: readonly EditorTaskInfo[]): readonly EditorTaskInfo[] {
  const order = ['build', 'test', 'other'];
  return tasks.toSorted(
    (a, b) => order.indexOf(a.group) - order.indexOf(b.group) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
  );
}

function runTask(parts: EditorParts, runs: Runs): EditorTool {
  return defineTool<{ readonly task: string; readonly waitMs?: number }>({
    name: 'run_task',
    title: 'Run a task',
    description:
      'Runs a task of the workspace, such as its build or tests, once the person agrees; answers with its output when it ends, or with ' +
      'a run to ask about with get_task_run.',
    group: 'run',
    input: { task: { ...word, minLength: 1, description: 'Name or id, as list_tasks gives it.' }, waitMs },
    required: ['task'],
    output: runSchema,
    annotations: { destructiveHint: true },
    async run({ task: wanted, waitMs: wait = defaultWaitMs }, context) {
      const tasks = await parts.ports.tasks.list();
      const byId = tasks.filter(({ id }) => id === wanted);
      const [task, ...others] = byId.length > 0 ? byId : tasks.filter(({ name }) => name === wanted);
      if (task === undefined || others.length > 0) {
        const choices = sorted(others.length > 0 && task !== undefined ? [task, ...others] : tasks).slice(0, 30);
        const what = task === undefined ? 'there is none of this name' : 'several have this name; give the id';
        const list = choices.map(({ id, name }) => `${name} (id ${id})`).join(', ') || 'The workspace has no tasks.';
        throw new PorticoError('ARGUMENTS_INVALID', `task: ${what}. ${list}`);
      }
      return parts.pending.run(context, async (signal) => {
        const effectToConfirm = { kind: 'task', title: `Run ${task.name}`, task } as const;
        if (!(await parts.ports.confirm.confirm(context.client.label, effectToConfirm, signal))) {
          return refusedByPerson();
        }
        const run = await parts.ports.tasks.run(task.id);
        runs.set(run.id, { client: context.client.id, run });
        const oldest = runs.keys().next().value;
        if (runs.size > maxRuns && oldest !== undefined) {
          runs.delete(oldest);
        }
        await ended(parts, run, wait, signal);
        return present(run);
      });
    },
  });
}

function getTaskRun(parts: EditorParts, runs: Runs): EditorTool {
  return defineTool<{ readonly run: string; readonly waitMs?: number }>({
    name: 'get_task_run',
    title: 'State of a task',
    description: 'Whether a task that run_task started has ended, its exit code and its output so far.',
    group: 'read',
    input: { run: { ...word, minLength: 1 }, waitMs },
    required: ['run'],
    output: runSchema,
    async run({ run: id, waitMs: wait = defaultWaitMs }, { client, signal }) {
      const run = runOf(runs, id, client);
      await ended(parts, run, wait, signal);
      return present(run);
    },
  });
}

function stopTask(parts: EditorParts, runs: Runs): EditorTool {
  return defineTool<{ readonly run: string }>({
    name: 'stop_task',
    title: 'Stop a task',
    description: 'Stops a task that run_task started, and tells its state then. The person is not asked again.',
    group: 'run',
    input: { run: { ...word, minLength: 1 } },
    required: ['run'],
    output: runSchema,
    annotations: { idempotentHint: true },
    async run({ run: id }, { client, signal }) {
      const run = runOf(runs, id, client);
      if (run.state.peek().kind === 'running') {
        run.stop();
        await ended(parts, run, stopWaitMs, signal);
      }
      return present(run);
    },
  });
}

/** Throws ARGUMENTS_INVALID for a run that is none, or another client's. */
function runOf(runs: Runs, id: string, client: AgentClient): EditorTaskRun {
  const found = runs.get(id);
  if (found?.client !== client.id) {
    throw new PorticoError('ARGUMENTS_INVALID', `run: ${quoted(id)} is unknown. run_task gives it.`);
  }
  return found.run;
}

/** Resolves when the run has ended, or after a while. */
async function ended({ clock }: EditorParts, run: EditorTaskRun, ms: number, signal: AbortSignal): Promise<void> {
  const held: Disposable[] = [];
  try {
    await orAborted(
      new Promise<void>((resolve) => {
        held.push(clock.after(ms, resolve));
        held.push(toDisposable(effect(() => void (run.state.value.kind === 'ended' && resolve()))));
      }),
      signal,
      'The wait for the task',
    );
  } finally {
    held.forEach((item) => item.dispose());
  }
}

function present(run: EditorTaskRun): CallToolResult {
  const state = run.state.peek();
  const written = run.output();
  const output = written?.text.slice(-maxOutput);
  const outputCut = written !== undefined && (written.cut || written.text.length > maxOutput);
  const exitCode = state.kind === 'ended' ? state.exitCode : undefined;
  const said =
    state.kind === 'running'
      ? `${run.task.name} is running; ask get_task_run about run ${run.id}.`
      : `${run.task.name} ended with exit code ${exitCode ?? 'unknown'}.`;
  return answer(
    { state: state.kind, run: run.id, task: run.task.name, exitCode, output, ...(outputCut ? { outputCut } : {}) },
    output === undefined ? `${said} The editor does not tell its output.` : `${said}\n${output}`,
  );
}
