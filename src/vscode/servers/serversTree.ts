import { effect } from '@preact/signals-core';
import { type Event, EventEmitter, type TreeDataProvider, type TreeItem } from 'vscode';
import type { Clock } from '../../base/clock';
import { type Disposable, DisposableStore } from '../../base/disposable';
import type { Hub, ServerView } from '../../core/hubTypes';
import type { OpenRows } from '../interop/openRows';
import type { Settings } from '../interop/settings';
import { inConfigOrder, isProblem, type Node, nodeIds, type OfferedList, tasksOf } from './nodes';
import { startingSteps } from './serverRow';
import { treeItem } from './treeItems';

/** The rows of the Servers view. A change of one server repaints its row alone; the root only when entries come or go. */
export class ServersTree implements TreeDataProvider<Node>, Disposable {
  private readonly store = new DisposableStore();
  /** By server, what its rows of tasks show: asking a server for news that are none repaints nothing below the mouse. */
  private readonly shownTasks = new Map<string, string>();
  private readonly changes = new EventEmitter<Node | undefined>();
  readonly onDidChangeTreeData: Event<Node | undefined> = this.changes.event;
  /** The editor knows rows by object, so a row stays the same object as long as it is there. */
  private readonly nodes = new Map<string, Node>();
  private readonly watched = new Map<string, { readonly view: ServerView; readonly subscription: Disposable }>();

  constructor(
    private readonly hub: Hub,
    private readonly settings: Settings,
    private readonly clock: Clock,
    private readonly open: OpenRows,
  ) {
    this.store.add(this.changes);
    this.store.defer(
      effect(() => {
        this.watch(hub.servers.value);
        void hub.configProblems.value;
        void settings.trustedServers.value;
        this.changes.fire(undefined);
      }),
    );
    this.store.defer(
      effect(() => {
        for (const server of new Set(hub.tasks.value.map((task) => task.server))) {
          const rows = tasksOf(this.hub, server).map(({ id, tool, status, statusMessage, problem }) => [
            id,
            tool,
            status,
            statusMessage,
            problem?.message,
          ]);
          const shown = JSON.stringify(rows);
          if (this.shownTasks.get(server) !== shown) {
            this.shownTasks.set(server, shown);
            this.repaint(server, nodeIds.tasks(server));
          }
        }
      }),
    );
    this.store.defer(() => this.watch([]));
  }

  dispose(): void {
    this.store.dispose();
  }

  getTreeItem(node: Node): TreeItem | Promise<TreeItem> {
    if (node.kind === 'tasks' || node.kind === 'task') {
      return import('./taskItems').then(({ taskItem }) => taskItem(node, this.hub));
    }
    if (node.kind === 'problem') {
      return import('./problemItem').then(({ problemItem }) => problemItem(node));
    }
    const item = treeItem(node, {
      trustedServers: this.settings.trustedServers.peek(),
      toolOf: (server, name) => this.hub.catalog.toolByRef({ server, name })?.tool,
      now: this.clock.now(),
    });
    return this.open.restore(item);
  }

  /** Tooltips are made when one is looked at. */
  async resolveTreeItem(item: TreeItem, node: Node): Promise<TreeItem> {
    item.tooltip = await (await import('./tooltips')).tooltipOf(this.hub, node);
    return item;
  }

  getChildren(node?: Node): Node[] {
    if (!node) {
      return this.roots();
    }
    if (node.kind === 'server') {
      const { server, view } = node;
      const groups = (['tools', 'prompts'] as const).flatMap((list) => {
        const { items, setAside } = view.lists.peek()[list];
        const id = nodeIds.group(server, list);
        return items.length + setAside.length > 0 ? this.keep({ kind: 'group', id, server, list, view }) : [];
      });
      if (tasksOf(this.hub, server).length > 0) {
        groups.push(this.keep({ kind: 'tasks', id: nodeIds.tasks(server), server, view }));
      }
      return groups.length > 0 ? groups : [this.keep({ kind: 'hint', id: nodeIds.hint(server), server, view })];
    }
    if (node.kind === 'tasks') {
      const { server, view } = node;
      return tasksOf(this.hub, server).map(({ id: task }) =>
        this.keep({ kind: 'task', id: nodeIds.task(server, task), server, task, view }),
      );
    }
    return node.kind === 'group' ? this.entries(node.server, node.list, node.view) : [];
  }

  getParent(node: Node): Node | undefined {
    switch (node.kind) {
      case 'group':
      case 'tasks':
      case 'hint':
        return this.nodes.get(nodeIds.server(node.server));
      case 'task':
        return this.nodes.get(nodeIds.tasks(node.server));
      case 'tool':
        return this.nodes.get(nodeIds.group(node.server, 'tools'));
      case 'prompt':
        return this.nodes.get(nodeIds.group(node.server, 'prompts'));
      case 'setAside':
        return this.nodes.get(nodeIds.group(node.server, node.list));
      default:
        return undefined;
    }
  }

  /** The row of a server, for revealing it. */
  serverNode(server: string): Node | undefined {
    const view = this.hub.server(server);
    return view && this.keep({ kind: 'server', id: nodeIds.server(server), server, view });
  }

  private roots(): Node[] {
    const servers = this.hub.servers.peek();
    const rows = inConfigOrder(servers, this.hub.configProblems.peek()).map((row) =>
      isProblem(row)
        ? this.keep({ kind: 'problem', id: nodeIds.problem(row), problem: row })
        : this.keep({ kind: 'server', id: nodeIds.server(row.id), server: row.id, view: row }),
    );
    const restricted = servers.some((view) => view.status.peek().kind === 'restricted');
    return restricted ? [this.keep({ kind: 'restricted', id: nodeIds.restricted }), ...rows] : rows;
  }

  private entries(server: string, list: OfferedList, view: ServerView): Node[] {
    const { items, setAside } = view.lists.peek()[list];
    const usable = items.map(({ name }) =>
      list === 'tools'
        ? this.keep({ kind: 'tool', id: nodeIds.entry(server, list, name), server, tool: name, view })
        : this.keep({ kind: 'prompt', id: nodeIds.entry(server, list, name), server, prompt: name, view }),
    );
    const unusable = setAside.map((_, index) =>
      this.keep({ kind: 'setAside', id: nodeIds.setAside(server, list, index), server, list, index, view }),
    );
    return [...usable, ...unusable];
  }

  private keep(node: Node): Node {
    const known = this.nodes.get(node.id);
    const same =
      known?.kind === node.kind &&
      ('view' in known && 'view' in node ? known.view === node.view : node.kind !== 'problem');
    if (known && same) {
      return known;
    }
    this.nodes.set(node.id, node);
    return node;
  }

  private watch(views: readonly ServerView[]): void {
    const gone = new Set(this.watched.keys());
    for (const view of views) {
      const known = this.watched.get(view.id);
      if (known?.view === view) {
        gone.delete(view.id);
      } else {
        known?.subscription.dispose();
        this.watched.set(view.id, { view, subscription: this.watchOne(view) });
        gone.delete(view.id);
      }
    }
    for (const id of gone) {
      this.watched.get(id)?.subscription.dispose();
      this.watched.delete(id);
      this.forget(id);
    }
  }

  /** Repaints a server's row when its entry, state or lists change, and while it starts at the few set moments. */
  private watchOne(view: ServerView): Disposable {
    const store = new DisposableStore();
    let timers = store.add(new DisposableStore());
    let wasRestricted = view.status.peek().kind === 'restricted';
    store.defer(
      effect(() => {
        const status = view.status.value;
        void view.definition;
        void view.lists.value;
        store.release(timers);
        timers = store.add(new DisposableStore());
        if (status.kind === 'starting') {
          for (const step of startingSteps) {
            const wait = status.since + step - this.clock.now();
            if (wait > 0) {
              timers.add(this.clock.after(wait, () => this.repaint(view.id)));
            }
          }
        }
        this.repaint(view.id);
        if (wasRestricted !== (status.kind === 'restricted')) {
          wasRestricted = status.kind === 'restricted';
          this.changes.fire(undefined);
        }
      }),
    );
    return store;
  }

  /** The row of a server, unless the one below it that changed is there. */
  private repaint(server: string, part = ''): void {
    const node = this.nodes.get(part) ?? this.nodes.get(nodeIds.server(server));
    if (node) {
      this.changes.fire(node);
    }
  }

  private forget(server: string): void {
    for (const [id, node] of this.nodes) {
      if ('server' in node && node.server === server) {
        this.nodes.delete(id);
      }
    }
  }
}
