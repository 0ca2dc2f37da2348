import { window } from 'vscode';
import { DisposableStore } from '../../base/disposable';
import { commands, views } from '../../ids';
import { registerCommand } from '../interop/commands';
import type { Contribution } from '../interop/contribution';
import { LazyTree } from '../interop/lazyTree';
import { openRows } from '../interop/openRows';
import type { Node } from './nodes';
import type { ResourcesView } from './resourcesView';

/** The Resources view and the commands that start from it; loaded when it is looked at, or with the first command. */
export const resourcesContribution: Contribution = {
  name: 'resources',
  register(services) {
    const { logs } = services;
    const store = new DisposableStore();
    const rows = openRows(views.resources, services.context.workspaceState);
    let opened: Promise<ResourcesView> | undefined;
    const open = (): Promise<ResourcesView> => {
      opened ??= import('./resourcesView').then((loaded) => store.add(new loaded.ResourcesView(services, rows)));
      return opened;
    };
    const view = store.add(
      window.createTreeView(views.resources, {
        treeDataProvider: store.add(new LazyTree<Node>(async () => (await open()).tree)),
        showCollapseAll: true,
        canSelectMany: true,
        dragAndDropController: {
          dropMimeTypes: [],
          dragMimeTypes: ['text/uri-list'],
          handleDrag: async (nodes, transfer) => (await open()).drag(nodes, transfer),
        },
      }),
    );
    store.add(rows.follow(view));
    const on: typeof registerCommand = (id, own, run) => store.add(registerCommand(id, own, run));
    on(commands.findResource, logs, async () => (await import('./findResource')).findResource(services));
    on(commands.openTemplate, logs, async (row) => (await import('./openTemplate')).openTemplate(services, row));
    on(commands.copyResourceUri, logs, async (row, rows) =>
      (await open()).copy(row, rows ?? (row ? [] : view.selection)),
    );
    on(commands.attachResource, logs, async (row, rows) => (await open()).attach(row, rows));
    on(commands.refreshResources, logs, async () => (await open()).refresh());
    on(commands.showResourcesAsList, logs, async () => (await open()).showAsList(true));
    on(commands.showResourcesAsTree, logs, async () => (await open()).showAsList(false));
    return store;
  },
};
