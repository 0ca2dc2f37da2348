import {
  type Event,
  EventEmitter,
  MarkdownString,
  ThemeColor,
  ThemeIcon,
  type TreeDataProvider,
  TreeItem,
  TreeItemCollapsibleState,
} from 'vscode';
import type { Disposable } from '../../base/disposable';
import { visibleJson } from '../../base/visibleJson';
import type { CallRecord } from '../../core/policy/policyTypes';
import type { LedgerEntry } from '../../server/ledgerTypes';
import { commands } from '../../ids';
import { fencedBlock, escapeMarkdown } from '../interop/markdown';
import { counted, grouped } from '../interop/text';
import { type ActivityGroup, type ActivityRow, activityRow, type GroupKind } from './activityRows';
import { fileOf, readFacts, readRow } from './readRows';

/** A row. `call` and `read` are what commands take. */
export type ActivityNode =
  | { readonly kind: 'group'; readonly group: GroupKind }
  | { readonly kind: 'call'; readonly call: string; readonly group: GroupKind }
  | { readonly kind: 'read'; readonly read: number; readonly group: GroupKind };

const tooltipArguments = 1_500;

/** Shows groups of calls, or of what agents read. Rows keep their identity while they exist, so that focus and expansion stay where they are. */
export class ActivityTree implements TreeDataProvider<ActivityNode>, Disposable {
  private readonly changes = new EventEmitter<ActivityNode | undefined>();
  readonly onDidChangeTreeData: Event<ActivityNode | undefined> = this.changes.event;
  private groups: readonly ActivityGroup[] = [];
  private readonly nodes = new Map<string, ActivityNode>();
  private asked = false;

  /** Refreshes the groups that changed; the whole only where groups came or went. */
  show(groups: readonly ActivityGroup[]): void {
    const before = this.groups;
    this.groups = groups;
    if (!this.asked) {
      // The view has never been open: what it will ask for is what is here then, and there is nothing to refresh.
      return;
    }
    const same = before.length === groups.length && before.every(({ kind }, index) => groups[index]?.kind === kind);
    if (!same) {
      this.changes.fire(undefined);
      this.forget();
      return;
    }
    groups.forEach((group, index) => {
      const old = before[index]?.records ?? [];
      if (old.length !== group.records.length || old.some((record, at) => record !== group.records[at])) {
        this.changes.fire(this.groupNode(group.kind));
      }
    });
    this.forget();
  }

  groupNode(kind: GroupKind): ActivityNode {
    return this.node(`group:${kind}`, { kind: 'group', group: kind });
  }

  getParent(node: ActivityNode): ActivityNode | undefined {
    return node.kind === 'group' ? undefined : this.groupNode(node.group);
  }

  getChildren(node?: ActivityNode): ActivityNode[] {
    if (!node) {
      this.asked = true;
      return this.groups.map(({ kind }) => this.groupNode(kind));
    }
    const group = node.kind === 'group' ? this.groups.find(({ kind }) => kind === node.group) : undefined;
    return (group?.records ?? []).map((record) => this.node(idOf(record, node.group), nodeOf(record, node.group)));
  }

  getTreeItem(node: ActivityNode): TreeItem {
    const group = this.groups.find(({ kind }) => kind === node.group);
    if (node.kind === 'group') {
      return groupItem(node.group, group);
    }
    const id = node.kind === 'call' ? node.call : node.read;
    const record = group?.records.find((one) => one.id === id);
    if (record === undefined) {
      return new TreeItem('');
    }
    return isRead(record) ? readItem(record, node.group) : callItem(record, node.group);
  }

  dispose(): void {
    this.changes.dispose();
  }

  private node(id: string, fresh: ActivityNode): ActivityNode {
    const known = this.nodes.get(id) ?? fresh;
    this.nodes.set(id, known);
    return known;
  }

  private forget(): void {
    const shown = new Set(this.groups.flatMap(({ kind, records }) => records.map((record) => idOf(record, kind))));
    for (const [id, node] of this.nodes) {
      if (node.kind !== 'group' && !shown.has(id)) {
        this.nodes.delete(id);
      }
    }
  }
}

function isRead(record: CallRecord | LedgerEntry): record is LedgerEntry {
  return 'bytes' in record;
}

function idOf(record: CallRecord | LedgerEntry, group: GroupKind): string {
  return `${isRead(record) ? 'read' : 'call'}:${group}:${record.id}`;
}

function nodeOf(record: CallRecord | LedgerEntry, group: GroupKind): ActivityNode {
  return isRead(record) ? { kind: 'read', read: record.id, group } : { kind: 'call', call: record.id, group };
}

function groupItem(kind: GroupKind, group: ActivityGroup | undefined): TreeItem {
  const state = kind === 'earlier' ? TreeItemCollapsibleState.Collapsed : TreeItemCollapsibleState.Expanded;
  const item = new TreeItem(group?.label ?? '', state);
  const count = group?.records.length ?? 0;
  const noun = group?.records.some(isRead) ? 'read' : 'call';
  item.id = `group:${kind}`;
  item.description = grouped(count);
  item.contextValue = `group.${kind}`;
  item.accessibilityInformation = { label: `${group?.label ?? ''}, ${counted(count, noun)}` };
  return item;
}

function callItem(record: CallRecord, group: GroupKind): TreeItem {
  const item = rowItem(activityRow(record), idOf(record, group));
  item.tooltip = tooltip(record);
  const waits = record.outcome === 'waiting';
  item.command = {
    title: waits ? 'Approve Waiting Call…' : 'Open Record',
    command: waits ? commands.approveWaitingCall : commands.openCallRecord,
    arguments: [{ call: record.id }],
  };
  return item;
}

/** Opens the file where the row is about one; the editor never opens an address that an agent has given. */
function readItem(entry: LedgerEntry, group: GroupKind): TreeItem {
  const item = rowItem(readRow(entry), idOf(entry, group));
  item.tooltip = readFacts(entry).join('\n');
  if (fileOf(entry) !== undefined) {
    item.command = { command: commands.openAgentRead, title: 'Open File', arguments: [{ read: entry.id }] };
  }
  return item;
}

function rowItem({ label, description, icon, color, contextValue, spoken }: ActivityRow, id: string): TreeItem {
  const item = new TreeItem(label);
  item.id = id;
  item.description = description;
  item.iconPath = new ThemeIcon(icon, color === undefined ? undefined : new ThemeColor(color));
  item.contextValue = contextValue;
  item.accessibilityInformation = { label: spoken };
  return item;
}

function tooltip(record: CallRecord): MarkdownString {
  const args = visibleJson(record.args);
  const cut = args.length > tooltipArguments ? `${args.slice(0, tooltipArguments)}\n…` : args;
  const lines = [
    `**${escapeMarkdown(record.ref.name)}** · ${escapeMarkdown(record.key)}`,
    `${escapeMarkdown(record.caller.label)} · ${new Date(record.startedAt).toLocaleString()}`,
    ...(record.problem ? [escapeMarkdown(record.problem.message, 600)] : []),
    fencedBlock(cut, 'json'),
  ];
  return new MarkdownString(lines.join('\n\n'));
}
