import type { ServerTask, TaskStatus } from '../../core/connections/taskTypes';
import { plainLine } from './text';

/** Words that stand in a row; the first of them carry the state, since a narrow view cuts the rest. */
const words: Readonly<Record<TaskStatus, string>> = {
  working: 'running',
  input_required: 'waits for an answer',
  completed: 'done',
  failed: 'failed',
  cancelled: 'cancelled',
};

export function isRunning({ status }: ServerTask): boolean {
  return status === 'working' || status === 'input_required';
}

/** `1 running`, `1 running · 2 ended`, `2 ended`. */
export function tasksText(tasks: readonly ServerTask[]): string {
  const running = tasks.filter(isRunning).length;
  const ended = tasks.length - running;
  return [running > 0 ? `${running} running` : '', ended > 0 ? `${ended} ended` : ''].filter(Boolean).join(' · ');
}

/** `running · Gathering sources…`; why, where it failed; one word for what has ended otherwise. */
export function taskText(task: ServerTask): string {
  const said = task.problem?.message ?? task.statusMessage;
  const state = words[task.status];
  return said === undefined || (task.status !== 'failed' && !isRunning(task))
    ? state
    : `${state} · ${plainLine(said, 160)}`;
}
