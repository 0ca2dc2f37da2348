import { computed, effect } from '@preact/signals-core';
import { type TreeView, window, workspace } from 'vscode';
import { systemClock } from '../../base/clock';
import { type Disposable, DisposableStore } from '../../base/disposable';
import type { Caller } from '../../core/policy/policyTypes';
import { contextKeys, views } from '../../ids';
import { setContextKey } from '../interop/contextKeys';
import type { Services } from '../interop/contribution';
import { openRows } from '../interop/openRows';
import { counted } from '../interop/text';
import type { Node } from './nodes';
import { needsPerson } from './serverRow';
import { ServersTree } from './serversTree';

/** The Servers view: its tree, its message, its badge and the context keys that say what there is. */
export class ServersView implements Disposable {
  private readonly store = new DisposableStore();
  private readonly tree: ServersTree;
  private readonly view: TreeView<Node>;

  constructor({ context, hub, settings, logs }: Services) {
    const open = openRows(views.servers, context.workspaceState);
    this.tree = this.store.add(new ServersTree(hub, settings, systemClock, open));
    this.view = this.store.add(
      window.createTreeView(views.servers, { treeDataProvider: this.tree, showCollapseAll: false }),
    );
    this.store.add(open.follow(this.view));
    const restricted = computed(
      () => hub.servers.value.filter(({ status }) => status.value.kind === 'restricted').length,
    );
    const waiting = computed(() => hub.approvals.waiting.value.length);
    const has = computed(() => hub.servers.value.length + hub.configProblems.value.length > 0);
    this.store.defer(
      effect(() => this.setBadge(hub.servers.value.filter(({ status }) => needsPerson(status.value)).length)),
    );
    this.store.defer(
      effect(() => {
        const count = restricted.value;
        this.view.message =
          count > 0
            ? `${counted(count, 'server')} of ${folderText()} ${count === 1 ? 'stays' : 'stay'} off in Restricted Mode.`
            : undefined;
      }),
    );
    const keys = [
      [contextKeys.hasServers, has],
      [contextKeys.hasWaitingCalls, computed(() => waiting.value > 0)],
      [contextKeys.hasCalls, computed(() => hub.callLog.records.value.length > 0)],
      [contextKeys.usedInChat, computed(() => hub.callLog.records.value.some(({ caller }) => isChat(caller)))],
    ] as const;
    for (const [key, value] of keys) {
      this.store.defer(effect(() => void setContextKey(key, value.value)));
    }
    // Until the first reading is done an empty view may not claim that there is nothing.
    hub.ready
      .catch((error: unknown) => logs.own.error('The configuration could not be read.', error))
      .finally(() => void setContextKey(contextKeys.loaded, true));
  }

  dispose(): void {
    this.store.dispose();
  }

  /** Shows a server's row and selects it; the focus stays where it is. */
  async reveal(server: string): Promise<void> {
    const node = this.tree.serverNode(server);
    if (node) {
      await this.view.reveal(node, { select: true, focus: false });
    }
  }

  /** The icon adds up the badges of its views: waiting calls are counted in Activity. */
  private setBadge(servers: number): void {
    const tooltip = `${counted(servers, 'server')} ${servers === 1 ? 'needs' : 'need'} you`;
    this.view.badge = servers > 0 ? { value: servers, tooltip } : undefined;
  }
}

/** The editor's chat in any of the ways by which it reaches a tool. */
function isChat({ kind }: Caller): boolean {
  return kind === 'chat' || kind === 'participant' || kind === 'broker';
}

function folderText(): string {
  return (workspace.workspaceFolders?.length ?? 0) > 1 ? 'this workspace' : 'this folder';
}
