import { computed, effect, type ReadonlySignal } from '@preact/signals-core';
import { type Event, EventEmitter, type TreeDataProvider, type TreeItem, window } from 'vscode';
import type { Clock } from '../../base/clock';
import { type Disposable, DisposableStore } from '../../base/disposable';
import type { ResourceTree } from '../../core/catalog/catalogTypes';
import type { ServerView } from '../../core/hubTypes';
import { views } from '../../ids';
import type { Services } from '../interop/contribution';
import type { ResourceKey } from '../interop/knownResources';
import type { OpenRows } from '../interop/openRows';
import { type Node, nodeIds } from './nodes';
import { hasRow } from './rowTexts';
import { type Row, rowsBelow } from './rowsBelow';
import { treeItem, updateShownMs } from './treeItems';

/** A burst of changes repaints once in this time, in milliseconds. */
const repaintMs = 60;
/** Lists from here on may take a moment to become a tree: the view shows its progress. */
const largeList = 5_000;
/** How often rows say anew how long ago they were updated, in milliseconds. */
const agingMs = 60_000;

/**
 * The rows of the Resources view. A server whose lists change is repainted alone; the root only when servers come or go.
 * Below a server the catalog's tree is asked level by level.
 */
export class ResourcesTree implements TreeDataProvider<Node>, Disposable {
  private readonly store = new DisposableStore();
  private readonly changes = this.store.add(new EventEmitter<Node[] | undefined>());
  readonly onDidChangeTreeData: Event<Node[] | undefined> = this.changes.event;
  /** The editor knows rows by object, so a row stays the same object as long as it is there. */
  private readonly rows = new Map<string, Row>();
  /** Ids of the rows that were last given below a row; what goes with one is forgotten with it. */
  private readonly below = new Map<string, readonly string[]>();
  /** What each row was painted from last, as far as it is watched; under '' the root's. */
  private painted: ReadonlyMap<string, readonly unknown[]> = new Map();
  /** Ids of rows that are to be painted anew. */
  private readonly changed = new Set<string>();
  private asked = false;
  private repaint: Disposable | undefined;
  private aging: Disposable | undefined;
  private readonly shown: ReadonlySignal<readonly ServerView[]>;

  constructor(
    private readonly services: Pick<Services, 'hub' | 'resources'>,
    private readonly asList: ReadonlySignal<boolean>,
    private readonly clock: Clock,
    private readonly open: OpenRows,
  ) {
    const { hub, resources } = services;
    this.shown = computed(() => hub.servers.value.filter(({ lists }) => hasRow(lists.value)));
    this.store.defer(effect(() => this.watch()));
    this.store.add(resources.onDidChange((key) => this.learn(key)));
    this.store.defer(() => this.repaint?.dispose());
    this.store.defer(() => this.aging?.dispose());
  }

  dispose(): void {
    this.store.dispose();
  }

  getTreeItem(node: Node): TreeItem {
    const source = this.rows.get(node.id)?.source;
    this.age(node);
    const { services, clock } = this;
    const item = treeItem(node, {
      ...(source ? { source } : {}),
      flat: this.asList.peek(),
      now: clock.now(),
      services,
    });
    return this.open.restore(item);
  }

  /** Tooltips are made when one is looked at. */
  async resolveTreeItem(item: TreeItem, node: Node): Promise<TreeItem> {
    const { tooltipOf } = await import('./tooltips');
    item.tooltip = tooltipOf(node);
    return item;
  }

  async getChildren(node?: Node): Promise<Node[]> {
    if (!node) {
      // Until the first reading is done an empty view may not claim that there is nothing.
      await this.services.hub.ready;
      // What changed before is what is given now.
      this.asked = true;
      this.changed.clear();
      return this.keep('', this.shown.peek().map(serverRow));
    }
    return this.keep(
      node.id,
      await rowsBelow(node, this.asList.peek(), (view) => this.treeOf(view), this.services.resources),
    );
  }

  private async treeOf({ id, lists }: ServerView): Promise<ResourceTree> {
    const tree = this.services.hub.catalog.resourceTreeOf(id);
    if (lists.peek().resources.items.length >= largeList) {
      await window.withProgress({ location: { viewId: views.resources } }, () => tree);
    }
    return tree;
  }

  /** Marks what changed since it was looked at last. */
  private watch(): void {
    const shown = this.shown.value;
    const looks = new Map<string, readonly unknown[]>([['', [this.asList.value, ...shown]]]);
    for (const view of shown) {
      const { resources, templates } = view.lists.value;
      looks.set(nodeIds.server(view.id), [resources, templates, view.status.value.kind === 'ready']);
    }
    const changed = [...looks].filter(([id, look]) => {
      const before = this.painted.get(id);
      return before?.length !== look.length || look.some((part, index) => part !== before[index]);
    });
    this.painted = looks;
    this.paintSoon(changed.map(([id]) => id));
  }

  private learn({ server, uri }: ResourceKey): void {
    this.paintSoon([nodeIds.server(server), nodeIds.resource(server, uri)]);
  }

  /** Has rows painted anew every minute as long as they say when they were updated. */
  private age(node: Node): void {
    if (node.kind === 'resource' && this.isRecent(node)) {
      this.aging ??= this.clock.after(agingMs, () => {
        this.aging = undefined;
        const nodes = [...this.rows.values()].map((row) => row.node);
        this.paintSoon(
          nodes
            .filter((one) => one.kind === 'server' || (one.kind === 'resource' && this.isRecent(one)))
            .map(({ id }) => id),
        );
      });
    }
  }

  private isRecent(key: ResourceKey): boolean {
    const { updatedAt = 0 } = this.services.resources.of(key) ?? {};
    return this.clock.now() - updatedAt < updateShownMs + agingMs;
  }

  private paintSoon(ids: readonly string[]): void {
    ids.forEach((id) => this.changed.add(id));
    if (this.asked && this.changed.size > 0) {
      this.repaint ??= this.clock.after(repaintMs, () => this.paint());
    }
  }

  private paint(): void {
    this.repaint = undefined;
    const nodes = [...this.changed].flatMap((id) => this.rows.get(id)?.node ?? []);
    const whole = this.changed.has('');
    this.changed.clear();
    this.changes.fire(whole ? undefined : nodes);
  }

  /** The rows as the editor knows them; those that are new are remembered, those that are gone forgotten. */
  private keep(parent: string, fresh: readonly Row[]): Node[] {
    const ids = new Set(fresh.map(({ node }) => node.id));
    for (const id of this.below.get(parent) ?? []) {
      if (!ids.has(id)) {
        this.forget(id);
      }
    }
    this.below.set(parent, [...ids]);
    return fresh.map((row) => {
      const known = this.rows.get(row.node.id)?.node;
      const node = known && isSame(known, row.node) ? known : row.node;
      this.rows.set(node.id, { ...row, node });
      return node;
    });
  }

  private forget(id: string): void {
    for (const one of this.below.get(id) ?? []) {
      this.forget(one);
    }
    this.below.delete(id);
    this.rows.delete(id);
  }
}

function serverRow(view: ServerView): Row {
  return { node: { kind: 'server', id: nodeIds.server(view.id), server: view.id, view } };
}

function isSame(known: Node, fresh: Node): boolean {
  const before: Readonly<Record<string, unknown>> = { ...known };
  return Object.entries(fresh).every(([key, value]) => before[key] === value);
}
