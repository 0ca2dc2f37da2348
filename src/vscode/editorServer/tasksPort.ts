import { type Signal, signal } from '@preact/signals-core';
import { type Task, type TaskExecution, TaskGroup, tasks } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { PorticoError } from '../../base/errors';
import type { Logger } from '../../base/log';
import type { EditorTaskInfo, EditorTaskRun, TasksPort } from '../../server/editor/editorTypes';
import { TaskOutput } from './taskOutput';

/** The last of what a task writes may be told this long after its end, in milliseconds. */
const lastOutputMs = 300;

type RunState = EditorTaskRun['state']['value'];

/** The editor's tasks, with what they write where the editor tells it. */
export class EditorTasks implements TasksPort, Disposable {
  private readonly store = new DisposableStore();
  private readonly states = new WeakMap<TaskExecution, Signal<RunState>>();
  private readonly processes = new WeakMap<TaskExecution, number>();
  /** Stopped before they had begun, when the editor does not find them yet. */
  private readonly stopping = new WeakSet<TaskExecution>();
  private readonly output: TaskOutput;
  private count = 0;

  constructor(log: Logger) {
    this.output = this.store.add(new TaskOutput(log));
    this.store.add(
      tasks.onDidStartTaskProcess(({ execution, processId }) => {
        this.processes.set(execution, processId);
        if (this.stopping.has(execution)) {
          execution.terminate();
        }
      }),
    );
    this.store.add(tasks.onDidEndTaskProcess(({ execution, exitCode }) => this.end(execution, exitCode)));
    // A task without a process, or one that was stopped before it had one, only ends.
    this.store.add(tasks.onDidEndTask(({ execution }) => this.end(execution, undefined)));
  }

  async list(): Promise<readonly EditorTaskInfo[]> {
    return (await tasks.fetchTasks()).map(describe);
  }

  async run(id: string): Promise<EditorTaskRun> {
    const task = (await tasks.fetchTasks()).find((candidate) => idOf(candidate) === id);
    if (!task) {
      throw new PorticoError('ARGUMENTS_INVALID', `The workspace has no task "${id}". List the tasks again.`);
    }
    const execution = await tasks.executeTask(task);
    const state = this.stateOf(execution);
    return {
      id: `run-${++this.count}`,
      task: describe(task),
      state,
      output: () => {
        const process = this.processes.get(execution);
        return process === undefined ? undefined : this.output.of(process);
      },
      stop: () => {
        this.stopping.add(execution);
        execution.terminate();
      },
    };
  }

  dispose(): void {
    this.store.dispose();
  }

  /** A short task may have ended before the editor says that it has begun. */
  private stateOf(execution: TaskExecution): Signal<RunState> {
    const state = this.states.get(execution) ?? signal<RunState>({ kind: 'running' });
    this.states.set(execution, state);
    return state;
  }

  private end(execution: TaskExecution, exitCode: number | undefined): void {
    const state = this.stateOf(execution);
    const finish = (): void => {
      if (state.peek().kind === 'running') {
        state.value = { kind: 'ended', exitCode };
      }
    };
    if (this.processes.has(execution)) {
      setTimeout(finish, lastOutputMs);
    } else {
      finish();
    }
  }
}

function idOf({ source, name, scope }: Task): string {
  const folder = typeof scope === 'object' ? `${scope.name}/` : '';
  return `${source}: ${folder}${name}`;
}

function describe(task: Task): EditorTaskInfo {
  const { name, source, group, detail } = task;
  return {
    id: idOf(task),
    name,
    source,
    group: group?.id === TaskGroup.Build.id ? 'build' : group?.id === TaskGroup.Test.id ? 'test' : 'other',
    detail: detail ?? '',
  };
}
