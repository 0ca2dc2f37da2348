import { type Event, EventEmitter, type TreeDataProvider, type TreeItem } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';

/** A view's tree that is loaded when the view is first looked at. What `load` gives stays its owner's. */
export class LazyTree<T> implements TreeDataProvider<T>, Disposable {
  private readonly store = new DisposableStore();
  private readonly changes = this.store.add(new EventEmitter<T | T[] | undefined>());
  readonly onDidChangeTreeData: Event<T | T[] | undefined> = this.changes.event;
  private loaded: Promise<TreeDataProvider<T>> | undefined;

  constructor(private readonly load: () => Promise<TreeDataProvider<T>>) {}

  private tree(): Promise<TreeDataProvider<T>> {
    this.loaded ??= this.load().then((tree) => {
      const forwarded = tree.onDidChangeTreeData?.((change) => this.changes.fire(change ?? undefined));
      if (forwarded) {
        this.store.add(forwarded);
      }
      return tree;
    });
    return this.loaded;
  }

  async getTreeItem(element: T): Promise<TreeItem> {
    return (await this.tree()).getTreeItem(element);
  }

  async getChildren(element?: T): Promise<T[]> {
    return (await (await this.tree()).getChildren(element)) ?? [];
  }

  async getParent(element: T): Promise<T | undefined> {
    return (await (await this.tree()).getParent?.(element)) ?? undefined;
  }

  async resolveTreeItem(
    item: TreeItem,
    element: T,
    token: Parameters<NonNullable<TreeDataProvider<T>['resolveTreeItem']>>[2],
  ): Promise<TreeItem> {
    return (await (await this.tree()).resolveTreeItem?.(item, element, token)) ?? item;
  }

  dispose(): void {
    this.store.dispose();
  }
}
