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
import { commands } from '../../ids';
import { fencedBlock, escapeMarkdown } from '../interop/markdown';
import { type ActivityGroup, activityRow, type GroupKind } from './activityRows';

/** A row. `call` is what commands take. */
export type ActivityNode =
  | { readonly kind: 'group'; readonly group: GroupKind }
  | { readonly kind: 'call'; readonly call: string; readonly group: GroupKind };

const tooltipArguments = 1_500;

/** Shows groups of calls. Rows keep their identity while they exist, so that focus and expansion stay where they are. */
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
    return node.kind === 'call' ? this.groupNode(node.group) : undefined;
  }

  getChildren(node?: ActivityNode): ActivityNode[] {
    if (!node) {
      this.asked = true;
      return this.groups.map(({ kind }) => this.groupNode(kind));
    }
    const group = node.kind === 'group' ? this.groups.find(({ kind }) => kind === node.group) : undefined;
    return (group?.records ?? []).map(({ id }) =>
      this.node(`call:${node.group}:${id}`, { kind: 'call', call: id, group: node.group }),
    );
  }

  getTreeItem(node: ActivityNode): TreeItem {
    const group = this.groups.find(({ kind }) => kind === node.group);
    if (node.kind === 'group') {
      return groupItem(node.group, group);
    }
    const record = group?.records.find(({ id }) => id === node.call);
    return record ? callItem(record, node.group) : new TreeItem('');
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
    const shown = new Set(this.groups.flatMap(({ records }) => records.map(({ id }) => id)));
    for (const [id, node] of this.nodes) {
      if (node.kind === 'call' && !shown.has(node.call)) {
        this.nodes.delete(id);
      }
    }
  }
}

function groupItem(kind: GroupKind, group: ActivityGroup | undefined): TreeItem {
  const state = kind === 'earlier' ? TreeItemCollapsibleState.Collapsed : TreeItemCollapsibleState.Expanded;
  const item = new TreeItem(group?.label ?? '', state);
  const count = group?.records.length ?? 0;
  item.id = `group:${kind}`;
  item.description = String(count);
  item.contextValue = `group.${kind}`;
  item.accessibilityInformation = { label: `${group?.label ?? ''}, ${count} ${count === 1 ? 'call' : 'calls'}` };
  return item;
}

function callItem(record: CallRecord, group: GroupKind): TreeItem {
  const row = activityRow(record);
  const item = new TreeItem(row.label);
  item.id = `call:${group}:${record.id}`;
  item.description = row.description;
  item.iconPath = new ThemeIcon(row.icon, row.color === undefined ? undefined : new ThemeColor(row.color));
  item.contextValue = row.contextValue;
  item.accessibilityInformation = { label: row.spoken };
  item.tooltip = tooltip(record);
  const waits = record.outcome === 'waiting';
  item.command = {
    title: waits ? 'Approve Waiting Call…' : 'Open Record',
    command: waits ? commands.approveWaitingCall : commands.openCallRecord,
    arguments: [{ call: record.id }],
  };
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
