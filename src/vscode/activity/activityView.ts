import { batch, computed, effect, signal } from '@preact/signals-core';
import { type TreeView, window } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { systemClock } from '../../base/clock';
import { contextKeys } from '../../ids';
import { setContextKey } from '../interop/contextKeys';
import type { Services } from '../interop/contribution';
import { inertLine } from '../interop/text';
import { fileName } from '../interop/fileName';
import { type ActivityFilter, filterWords, isFiltered } from './activityFilter';
import { activityGroups, maxRows } from './activityRows';
import { type ActivityNode, ActivityTree } from './activityTree';
import { callDocument, logDocument } from './callDocuments';
import { pickFilter } from './filterPick';

/** Bursts of calls repaint the view once in this time, in milliseconds. */
const repaintMs = 60;

/** What the Activity view shows: every call, whoever made it, and on top what waits for the person. */
export class ActivityView implements Disposable {
  private readonly store = new DisposableStore();
  readonly tree = this.store.add(new ActivityTree());
  private readonly filter = signal<ActivityFilter>({});
  private waiting = 0;
  private repaint: Disposable | undefined;

  constructor(
    private readonly services: Services,
    private readonly view: TreeView<ActivityNode>,
  ) {
    const { hub } = services;
    this.store.defer(
      effect(() => {
        void [hub.callLog.records.value, this.filter.value];
        this.repaint ??= systemClock.after(repaintMs, () => this.paint());
      }),
    );
    this.store.defer(() => this.repaint?.dispose());
    const filtered = computed(() => isFiltered(this.filter.value));
    this.store.defer(effect(() => void setContextKey(contextKeys.activityFiltered, filtered.value)));
    this.paint();
  }

  dispose(): void {
    this.store.dispose();
  }

  private paint(): void {
    this.repaint?.dispose();
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

  clearFilter(): void {
    this.filter.value = {};
  }

  clear(): void {
    batch(() => {
      this.clearFilter();
      this.services.hub.callLog.clear();
    });
  }

  async askFilter(): Promise<void> {
    const next = await pickFilter(this.services.hub.callLog.records.peek(), this.filter.peek());
    if (next) {
      this.filter.value = next;
    }
  }

  async openLog(): Promise<void> {
    const { hub, documents } = this.services;
    await documents.openDocument('call log.json', logDocument(hub.callLog.records.peek()));
  }

  async openRecord(id: string | undefined): Promise<void> {
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
