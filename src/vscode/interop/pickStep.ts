import { QuickInputButtons, type QuickPickItem, window } from 'vscode';
import { DisposableStore } from '../../base/disposable';

export const back = Symbol('back');

/** One step of several. */
export interface PickStep<T extends QuickPickItem> {
  readonly title: string;
  /** From 1. */
  readonly step: number;
  readonly totalSteps: number;
  readonly placeholder: string;
  readonly items: readonly T[];
  /** Where the keyboard is at first; the first item where absent. */
  readonly active?: T | undefined;
}

/** One pick of several steps, with a way back but from the first. Nothing when it was closed. */
export function pickStep<T extends QuickPickItem>(step: PickStep<T>): Promise<T | typeof back | undefined> {
  const store = new DisposableStore();
  const pick = store.add(window.createQuickPick<T>());
  pick.title = step.title;
  pick.step = step.step;
  pick.totalSteps = step.totalSteps;
  pick.ignoreFocusOut = true;
  pick.placeholder = step.placeholder;
  pick.items = step.items;
  if (step.active) {
    pick.activeItems = [step.active];
  }
  pick.buttons = step.step > 1 ? [QuickInputButtons.Back] : [];
  return new Promise((resolve) => {
    const settle = (value: T | typeof back | undefined): void => {
      resolve(value);
      pick.hide();
    };
    store.add(pick.onDidTriggerButton(() => settle(back)));
    store.add(pick.onDidAccept(() => settle(pick.selectedItems[0])));
    store.add(
      pick.onDidHide(() => {
        resolve(undefined);
        store.dispose();
      }),
    );
    pick.show();
  });
}
