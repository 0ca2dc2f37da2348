import { type Signal, signal } from '@preact/signals-core';
import { type Task, type TaskExecution, TaskGroup, tasks } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { PorticoError } from '../../base/errors';
import type { EditorTaskInfo, EditorTaskRun, TasksPort } from '../../server/editor/editorTypes';

type RunState = EditorTaskRun['state']['value'];

/** The editor's tasks. What they write stays in their terminal: the editor does not tell extensions. */
export class EditorTasks implements TasksPort, Disposable {
  private readonly store = new DisposableStore();
  private readonly states = new WeakMap<TaskExecution, Signal<RunState>>();
  private count = 0;

  constructor() {
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
      output: () => undefined,
      stop: () => execution.terminate(),
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
    if (state.peek().kind === 'running') {
      state.value = { kind: 'ended', exitCode };
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
