import { batch, computed, effect, signal } from '@preact/signals-core';
import { commands as editorCommands, type TreeView, window } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { systemClock } from '../../base/clock';
import { contextKeys, views } from '../../ids';
import { setContextKey } from '../interop/contextKeys';
import type { Services } from '../interop/contribution';
import { counted, grouped, inertLine } from '../interop/text';
import { fileName } from '../interop/fileName';
import { type ActivityFilter, filterWords, isFiltered } from './activityFilter';
import { activityGroups, maxRows, readGroups } from './activityRows';
import { type ActivityNode, ActivityTree } from './activityTree';
import { callDocument, logDocument } from './callDocuments';
import { pickFilter } from './filterPick';
import { openWorkspaceFile } from './openWorkspaceFile';
import { fileOf, readsDocument } from './readRows';

/** Bursts of calls repaint the view once in this time, in milliseconds. */
const repaintMs = 60;

/** What the Activity view shows: every call, whoever made it, with what waits for the person on top; or what agents read. */
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
    const { hub, sharing } = services;
    this.store.defer(
      effect(() => {
        void [hub.callLog.records.value, this.filter.value.reads && sharing.ledger.value, this.filter.value];
        this.repaint ??= systemClock.after(repaintMs, () => this.paint());
      }),
    );
    this.store.defer(() => this.repaint?.dispose());
    const filtered = computed(() => isFiltered(this.filter.value));
    this.store.defer(effect(() => void setContextKey(contextKeys.activityFiltered, filtered.value)));
    const reads = computed(() => this.filter.value.reads === true);
    this.store.defer(effect(() => void setContextKey(contextKeys.activityReads, reads.value)));
    this.paint();
  }

  dispose(): void {
    this.store.dispose();
  }

  private paint(): void {
    this.repaint?.dispose();
    this.repaint = undefined;
    const { hub, sharing } = this.services;
    const filter = this.filter.peek();
    const records = filter.reads ? sharing.ledger.peek() : hub.callLog.records.peek();
    const now = new Date();
    const calls = activityGroups(hub.callLog.records.peek(), filter, now);
    // What waits for the person is there whatever they look at.
    const groups = filter.reads
      ? [...calls.filter(({ kind }) => kind === 'waiting'), ...readGroups(sharing.ledger.peek(), filter, now)]
      : calls;
    const shown = groups.reduce((sum, group) => sum + group.records.length, 0);
    this.tree.show(groups);
    this.view.message =
      isFiltered(filter) && records.length > 0
        ? `Filtered: ${inertLine(filterWords(filter))}. ${grouped(shown)} of ${counted(records.length, filter.reads ? 'read' : 'call')}.`
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
      this.services.sharing.clearLedger();
    });
  }

  async askFilter(): Promise<void> {
    const { hub, sharing } = this.services;
    const next = await pickFilter(hub.callLog.records.peek(), sharing.ledger.peek(), this.filter.peek());
    if (next) {
      this.filter.value = next;
    }
  }

  async openLog(): Promise<void> {
    const { hub, documents } = this.services;
    await documents.openDocument('call log.json', logDocument(hub.callLog.records.peek()));
  }

  async showReads(): Promise<void> {
    this.filter.value = { reads: true };
    await editorCommands.executeCommand(`${views.activity}.focus`);
  }

  /** What agents read, as a document for the person. */
  async openReads(): Promise<void> {
    const { documents, sharing } = this.services;
    await documents.openDocument('agent reads.jsonl', readsDocument(sharing.ledger.peek()));
  }

  async openRead(id: number): Promise<void> {
    const entry = this.services.sharing.ledger.peek().find((one) => one.id === id);
    const file = entry && fileOf(entry);
    if (file !== undefined) {
      await openWorkspaceFile(file);
    }
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
