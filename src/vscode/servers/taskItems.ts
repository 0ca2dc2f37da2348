import { ThemeColor, ThemeIcon, TreeItem, TreeItemCollapsibleState } from 'vscode';
import type { TaskStatus } from '../../core/connections/taskTypes';
import type { Hub } from '../../core/hubTypes';
import { commands } from '../../ids';
import { tasksText, taskText } from '../interop/taskText';
import { plainLine } from '../interop/text';
import { type Node, tasksOf } from './nodes';

export type TaskNode = Extract<Node, { kind: 'tasks' | 'task' }>;

const icons: Readonly<Record<TaskStatus, readonly [string, string?]>> = {
  working: ['loading~spin'],
  input_required: ['question', 'notificationsWarningIcon.foreground'],
  completed: ['check', 'testing.iconPassed'],
  failed: ['error', 'notificationsErrorIcon.foreground'],
  cancelled: ['circle-slash'],
};

/** The row of a server's tasks, or of one of them. */
export function taskItem(node: TaskNode, hub: Hub): TreeItem {
  const tasks = tasksOf(hub, node.server);
  if (node.kind === 'tasks') {
    const item = new TreeItem('Tasks', TreeItemCollapsibleState.Expanded);
    item.description = tasksText(tasks);
    item.contextValue = 'group.tasks';
    item.accessibilityInformation = { label: `tasks, ${tasksText(tasks).replaceAll(' · ', ', ')}` };
    return item;
  }
  const task = tasks.find(({ id }) => id === node.task);
  const item = new TreeItem(plainLine(task?.tool ?? '', 80));
  if (task) {
    const [icon, color] = icons[task.status];
    const text = taskText(task);
    item.iconPath = new ThemeIcon(icon, color === undefined ? undefined : new ThemeColor(color));
    item.description = text;
    item.contextValue = `task.${task.status}`;
    item.accessibilityInformation = { label: `${plainLine(task.tool, 80)}, task, ${text.replaceAll(' · ', ', ')}` };
    if (task.status === 'completed') {
      const row = { server: node.server, task: node.task };
      item.command = { command: commands.openTaskResult, title: 'Open Task Result', arguments: [row] };
    }
  }
  return item;
}
