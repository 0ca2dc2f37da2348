import { window } from 'vscode';
import type { ServerTask } from '../../core/connections/taskTypes';
import { commands, type TaskArgument } from '../../ids';
import { runCommand } from '../interop/commands';
import type { Services } from '../interop/contribution';
import { pickTask } from '../interop/pickTask';
import { isRunning } from '../interop/taskText';
import { inertLine } from '../interop/text';

export async function cancelTask({ hub }: Services, row: TaskArgument | undefined): Promise<void> {
  const task = await pickTask(hub, row, 'Cancel Task', isRunning);
  if (task) {
    await hub.cancelTask(task.server, task.id);
  }
}

/** Tells the person of what they began, what nobody waits for any more, and what has ended since: once each. */
export function deliverTasks(services: Services, delivered: Set<string>): void {
  for (const task of services.hub.tasks.peek()) {
    const key = `${task.server}\n${task.id}`;
    if (task.background && !isRunning(task) && !delivered.has(key)) {
      delivered.add(key);
      if (task.status !== 'cancelled' && isOfPerson(services, task)) {
        deliver(services, task).catch((error: unknown) =>
          services.logs.own.error('The result of a task could not be shown.', error),
        );
      }
    }
  }
}

function isOfPerson({ hub }: Services, { call }: ServerTask): boolean {
  return hub.callLog.records.peek().some(({ id, caller }) => id === call && caller.kind === 'manual');
}

async function deliver({ hub }: Services, task: ServerTask): Promise<void> {
  const key = inertLine(hub.server(task.server)?.definition.key ?? task.server, 60);
  const tool = inertLine(task.tool, 60);
  const row = { server: task.server, task: task.id };
  if (task.problem) {
    await window.showErrorMessage(inertLine(`${tool} of ${key} has failed: ${task.problem.message}`, 600));
  } else if (await window.showInformationMessage(`${tool} of ${key} has ended.`, 'Show Result')) {
    await runCommand(commands.openTaskResult, row);
  }
}
