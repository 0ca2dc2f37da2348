import { type Memento, type TreeItem, TreeItemCollapsibleState, type TreeView } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';

/** Those that were opened last; nobody has more open, and rows may be gone for good. */
const most = 500;

/** Which rows of a view are open, by their ids: kept in the workspace's state, so that a reload finds them open. */
export class OpenRows {
  private readonly key: string;
  private readonly ids: Set<string>;

  constructor(
    view: string,
    private readonly state: Memento,
  ) {
    this.key = `${view}.open`;
    this.ids = new Set(state.get<string[]>(this.key));
  }

  /** Opens the row where it was left open. */
  restore(item: TreeItem): TreeItem {
    if (item.collapsibleState && this.ids.has(item.id ?? '')) {
      item.collapsibleState = TreeItemCollapsibleState.Expanded;
    }
    return item;
  }

  follow(view: TreeView<{ readonly id: string }>): Disposable {
    const store = new DisposableStore();
    const note = (id: string, isOpen: boolean): void => {
      this.ids.delete(id);
      if (isOpen) {
        this.ids.add(id);
      }
      void this.state.update(this.key, [...this.ids].slice(-most));
    };
    store.add(view.onDidExpandElement(({ element }) => note(element.id, true)));
    store.add(view.onDidCollapseElement(({ element }) => note(element.id, false)));
    return store;
  }
}
