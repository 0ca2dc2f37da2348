import { type QuickPickItem, window } from 'vscode';
import { DisposableStore, toDisposable } from '../../base/disposable';

export interface Choice<T> extends QuickPickItem {
  readonly value: T;
}

/** The person's pick; nothing where it was closed, or the signal aborts first. */
export async function choose<T>(
  title: string,
  placeholder: string,
  choices: readonly Choice<T>[],
  signal: AbortSignal,
): Promise<T | undefined> {
  if (signal.aborted) {
    return undefined;
  }
  const store = new DisposableStore();
  const pick = store.add(window.createQuickPick<Choice<T>>());
  pick.title = title;
  pick.placeholder = placeholder;
  pick.ignoreFocusOut = true;
  pick.items = choices;
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
