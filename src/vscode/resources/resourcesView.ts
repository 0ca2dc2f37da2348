import { computed, effect, type Signal, signal } from '@preact/signals-core';
import { DataTransferItem, type DataTransfer, env, TabInputCustom, TabInputText, Uri, window } from 'vscode';
import { systemClock } from '../../base/clock';
import { type Disposable, DisposableStore } from '../../base/disposable';
import type { ServerView } from '../../core/hubTypes';
import { contextKeys, views } from '../../ids';
import { setContextKey } from '../interop/contextKeys';
import type { Services } from '../interop/contribution';
import { documentAddress } from '../interop/documentAddress';
import { openChat } from '../interop/openChat';
import type { OpenRows } from '../interop/openRows';
import type { Node } from './nodes';
import { ResourcesTree } from './resourcesTree';
import { toTargets } from './targets';

const asListKey = 'portico.resourcesAsList';

/** What the Resources view shows and what can be done with its rows. */
export class ResourcesView implements Disposable {
  private readonly store = new DisposableStore();
  private readonly asList: Signal<boolean>;
  readonly tree: ResourcesTree;

  constructor(
    private readonly services: Services,
    rows: OpenRows,
  ) {
    const { hub, context } = services;
    this.asList = signal(context.workspaceState.get<boolean>(asListKey) === true);
    this.tree = this.store.add(new ResourcesTree(services, this.asList, systemClock, rows));
    const unknown = computed(() => hub.servers.value.some(isUnknown));
    this.store.defer(effect(() => void setContextKey(contextKeys.resourcesUnknown, unknown.value)));
    this.store.defer(effect(() => void setContextKey(contextKeys.resourcesAsList, this.asList.value)));
  }

  dispose(): void {
    this.store.dispose();
  }

  async showAsList(asList: boolean): Promise<void> {
    this.asList.value = asList;
    await this.services.context.workspaceState.update(asListKey, asList);
  }

  /** Lists the running servers anew. */
  async refresh(): Promise<void> {
    const { hub } = this.services;
    const running = hub.servers.peek().filter(({ status }) => status.peek().kind === 'ready');
    if (running.length === 0) {
      void window.showInformationMessage('No server is running. Opening a resource starts its server.');
      return;
    }
    await window.withProgress({ location: { viewId: views.resources } }, () =>
      Promise.all(running.map(({ id }) => hub.refresh(id, { interactive: true }))),
    );
  }

  /** Puts the documents of the dragged rows where editors and the chat take them from. */
  drag(nodes: readonly Node[], transfer: DataTransfer): void {
    const list = this.documents(nodes).map(String);
    if (list.length > 0) {
      transfer.set('text/uri-list', new DataTransferItem(list.join('\r\n')));
    }
  }

  /** Copies URIs as they were listed, one a line. */
  async copy(item: unknown, rows: readonly unknown[]): Promise<void> {
    const targets = toTargets(chosen(item, rows));
    const uris = new Set(targets.map((one) => (one.kind === 'template' ? one.template : one.uri)));
    if (uris.size > 0) {
      await env.clipboard.writeText([...uris].join('\n'));
    }
  }

  /** Puts resources into the chat's box, where the person writes on. */
  async attach(item: unknown, rows: readonly unknown[] = []): Promise<void> {
    const files = this.documents(chosen(item, rows));
    if (files.length === 0) {
      void window.showInformationMessage('Choose a resource in the Resources view to add it to the chat.');
      return;
    }
    await openChat(files);
  }

  private documents(items: readonly unknown[]): readonly Uri[] {
    return toTargets(items).flatMap((target) =>
      target.kind === 'resource' ? [Uri.from(documentAddress(this.services, target))] : [],
    );
  }
}

/** All selected rows where the menu gave them, the one row, or else the open document. */
function chosen(item: unknown, rows: readonly unknown[]): readonly unknown[] {
  if (Array.isArray(rows) && rows.length > 0) {
    return rows;
  }
  const input = window.tabGroups.activeTabGroup.activeTab?.input;
  return [item ?? (input instanceof TabInputText || input instanceof TabInputCustom ? input.uri : undefined)];
}

/** Whether the server could have resources that nobody has seen: Start All would tell. */
function isUnknown({ definition, lists, status }: ServerView): boolean {
  const now = status.value;
  const canStart =
    ['stopped', 'starting', 'failed', 'signInRequired'].includes(now.kind) ||
    (now.kind === 'notApproved' && !now.refused);
  return canStart && definition.owner === 'portico' && lists.value.resources.from === 'none';
}
