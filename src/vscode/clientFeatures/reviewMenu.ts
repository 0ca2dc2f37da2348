import { type QuickPickItem, window } from 'vscode';
import { DisposableStore, toDisposable } from '../../base/disposable';

export interface MenuItem<T> extends QuickPickItem {
  readonly value: T;
}

/**
 * A choice that comes up by itself while the person may be typing: its first item does no harm, and no typing changes
 * which item that is. Nothing where it was closed or the signal aborts.
 */
export async function reviewMenu<T>(
  title: string,
  placeholder: string,
  items: readonly MenuItem<T>[],
  signal: AbortSignal,
): Promise<T | undefined> {
  if (signal.aborted) {
    return undefined;
  }
  const store = new DisposableStore();
  const pick = store.add(window.createQuickPick<MenuItem<T>>());
  pick.title = title;
  pick.placeholder = placeholder;
  pick.ignoreFocusOut = true;
  pick.items = items.map((item) => ({ ...item, alwaysShow: true }));
  const hide = (): void => pick.hide();
  signal.addEventListener('abort', hide);
  store.add(toDisposable(() => signal.removeEventListener('abort', hide)));
  try {
    return await new Promise((resolve) => {
      store.add(pick.onDidAccept(() => resolve(pick.activeItems[0]?.value)));
      store.add(pick.onDidHide(() => resolve(undefined)));
      pick.show();
    });
  } finally {
    store.dispose();
  }
}
