import { window } from 'vscode';
import type { ServerTask } from '../../core/connections/taskTypes';
import type { Hub } from '../../core/hubTypes';
import type { TaskArgument } from '../../ids';
import { taskText } from './taskText';
import { inert, inertLine } from './text';

/** The task of a row, otherwise the person's pick of those that `applies` lets through, newest first. */
export async function pickTask(
  hub: Hub,
  row: TaskArgument | undefined,
  title: string,
  applies: (task: ServerTask) => boolean,
): Promise<ServerTask | undefined> {
  const tasks = hub.tasks.peek();
  if (row) {
    return tasks.find(({ server, id }) => server === row.server && id === row.task);
  }
  const items = tasks
    .filter(applies)
    .toReversed()
    .map((task) => ({
      label: inertLine(task.tool, 80),
      description: inertLine(hub.server(task.server)?.definition.key ?? task.server, 60),
      detail: inert(taskText(task)),
      task,
    }));
  if (items.length === 0) {
    void window.showInformationMessage(`${title}: there is no task to which this applies.`);
    return undefined;
  }
  return (await window.showQuickPick(items, { title, placeHolder: 'Choose a task' }))?.task;
}
