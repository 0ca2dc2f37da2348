import { effect } from '@preact/signals-core';
import { window } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { commands, views } from '../../ids';
import { registerCommand } from '../interop/commands';
import type { Contribution, Services } from '../interop/contribution';
import { LazyTree } from '../interop/lazyTree';
import type { ActivityNode } from './activityTree';
import type { ActivityView } from './activityView';

/** The Activity view; loaded when it is looked at, when a call waits for the person, or with its first command. */
export const activityContribution: Contribution = { name: 'activity', register: registerActivity };

function registerActivity(services: Services): Disposable {
  const { hub, logs } = services;
  const store = new DisposableStore();
  let opened: Promise<ActivityView> | undefined;
  const open = (): Promise<ActivityView> => {
    opened ??= import('./activityView').then((loaded) => store.add(new loaded.ActivityView(services, view)));
    return opened;
  };
  const treeDataProvider = store.add(new LazyTree<ActivityNode>(async () => (await open()).tree));
  const view = store.add(window.createTreeView(views.activity, { treeDataProvider, showCollapseAll: false }));
  store.defer(
    effect(() => {
      if (hub.approvals.waiting.value.length > 0) {
        open().catch((error: unknown) => logs.own.error('The Activity view could not be loaded.', error));
      }
    }),
  );
  store.add(registerCommand(commands.filterActivity, logs, async () => (await open()).askFilter()));
  store.add(registerCommand(commands.clearActivityFilter, logs, async () => (await open()).clearFilter()));
  store.add(registerCommand(commands.clearActivity, logs, async () => (await open()).clear()));
  store.add(registerCommand(commands.openCallLog, logs, async () => (await open()).openLog()));
  store.add(registerCommand(commands.openAgentReads, logs, async () => (await open()).openReads()));
  store.add(registerCommand(commands.openAgentRead, logs, async ({ read }) => (await open()).openRead(read)));
  store.add(registerCommand(commands.showAgentReads, logs, async () => (await open()).showReads()));
  store.add(registerCommand(commands.openCallRecord, logs, async (row) => (await open()).openRecord(row?.call)));
  return store;
}
