import { Disposable, type Memento, type TreeItem, TreeItemCollapsibleState, type TreeView } from 'vscode';

/** Which rows of a view are open, by their ids: kept in the workspace's state, so that a reload finds them open. */
export interface OpenRows {
  /** Opens a row where it was left open. */
  restore(item: TreeItem): TreeItem;
  follow(view: TreeView<{ readonly id: string }>): Disposable;
}

/** Those that were opened last; nobody has more open, and some may be gone for good. */
const most = 500;

export function openRows(view: string, state: Memento): OpenRows {
  const key = `${view}.open`;
  const ids = new Set(state.get<string[]>(key));
  const note =
    (isOpen: boolean) =>
    ({ element: { id } }: { readonly element: { readonly id: string } }): void => {
      ids.delete(id);
      if (isOpen) {
        ids.add(id);
      }
      void state.update(key, [...ids].slice(-most));
    };
  return {
    restore(item) {
      if (item.collapsibleState && ids.has(item.id ?? '')) {
        item.collapsibleState = TreeItemCollapsibleState.Expanded;
      }
      return item;
    },
    follow: (tree) => Disposable.from(tree.onDidExpandElement(note(true)), tree.onDidCollapseElement(note(false))),
  };
}
