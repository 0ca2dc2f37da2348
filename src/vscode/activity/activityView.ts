import { batch, computed, effect, signal } from '@preact/signals-core';
import { type TreeView, window } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { systemClock } from '../../base/clock';
import { commands, contextKeys, views } from '../../ids';
import { registerCommand } from '../interop/commands';
import { setContextKey } from '../interop/contextKeys';
import type { Contribution, Services } from '../interop/contribution';
import { inertLine } from '../interop/text';
import { fileName } from '../interop/fileName';
import { type ActivityFilter, filterWords, isFiltered } from './activityFilter';
import { activityGroups, maxRows } from './activityRows';
import { type ActivityNode, ActivityTree } from './activityTree';
import { callDocument, logDocument } from './callDocuments';
import { pickFilter } from './filterPick';

/** Bursts of calls repaint the view once in this time, in milliseconds. */
const repaintMs = 60;

/** The Activity view: every call, whoever made it, and on top what waits for the person. */
export const activityContribution: Contribution = {
  name: 'activity',
  register: (services) => new ActivityView(services),
};

class ActivityView implements Disposable {
  private readonly store = new DisposableStore();
  private readonly tree = this.store.add(new ActivityTree());
  private readonly view: TreeView<ActivityNode>;
  private readonly filter = signal<ActivityFilter>({});
  private waiting = 0;
  private repaint: Disposable | undefined;

  constructor(private readonly services: Services) {
    const { hub, logs } = services;
    this.view = this.store.add(
      window.createTreeView(views.activity, { treeDataProvider: this.tree, showCollapseAll: false }),
    );
    this.store.defer(
      effect(() => {
        void [hub.callLog.records.value, this.filter.value];
        this.repaint ??= systemClock.after(repaintMs, () => this.paint());
      }),
    );
    this.store.defer(() => this.repaint?.dispose());
    const filtered = computed(() => isFiltered(this.filter.value));
    this.store.defer(effect(() => void setContextKey(contextKeys.activityFiltered, filtered.value)));
    this.store.add(registerCommand(commands.filterActivity, logs, async () => this.askFilter()));
    this.store.add(
      registerCommand(commands.clearActivityFilter, logs, () => {
        this.filter.value = {};
      }),
    );
    this.store.add(
      registerCommand(commands.clearActivity, logs, () =>
        batch(() => {
          this.filter.value = {};
          hub.callLog.clear();
        }),
      ),
    );
    this.store.add(registerCommand(commands.openCallLog, logs, async () => this.openLog()));
    this.store.add(registerCommand(commands.openCallRecord, logs, async (row) => this.openRecord(row?.call)));
  }

  dispose(): void {
    this.store.dispose();
  }

  private paint(): void {
    this.repaint = undefined;
    const records = this.services.hub.callLog.records.peek();
    const filter = this.filter.peek();
    const groups = activityGroups(records, filter, new Date());
    const shown = groups.reduce((sum, group) => sum + group.records.length, 0);
    this.tree.show(groups);
    this.view.message = isFiltered(filter)
      ? `Filtered: ${inertLine(filterWords(filter))}. ${shown} of ${records.length} calls.`
      : records.length > maxRows
        ? `The last ${maxRows} of ${records.length} calls. Open Call Log has all.`
        : undefined;
    const waiting = groups.find(({ kind }) => kind === 'waiting')?.records.length ?? 0;
    this.view.badge = waiting === 0 ? undefined : { value: waiting, tooltip: `${waiting} waiting for your approval` };
    if (waiting > this.waiting && this.view.visible) {
      // Expands the group even where the person had closed it; selection and focus stay.
      void this.view.reveal(this.tree.groupNode('waiting'), { expand: true, select: false, focus: false });
    }
    this.waiting = waiting;
  }

  private async askFilter(): Promise<void> {
    const next = await pickFilter(this.services.hub.callLog.records.peek(), this.filter.peek());
    if (next) {
      this.filter.value = next;
    }
  }

  private async openLog(): Promise<void> {
    const { hub, documents } = this.services;
    await documents.openDocument('call log.json', logDocument(hub.callLog.records.peek()));
  }

  private async openRecord(id: string | undefined): Promise<void> {
    const { hub, documents } = this.services;
    const record = hub.callLog.records.peek().find((one) => one.id === id);
    if (record) {
      const uri = documents.put(
        `/calls/${record.id}/${fileName(`${record.ref.name} · call.json`)}`,
        callDocument(record),
      );
      await documents.show(uri);
    } else {
      void window.showInformationMessage('Choose a call in the Activity view to open its record.');
    }
  }
}
