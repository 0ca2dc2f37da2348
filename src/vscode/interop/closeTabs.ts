import { TabInputText, type TextDocument, window } from 'vscode';

/** Closes a draft that has served its purpose, wherever it is open. */
export async function closeTabs(document: TextDocument): Promise<void> {
  if (document.isDirty) {
    await document.save();
  }
  const tabs = window.tabGroups.all.flatMap((group) => group.tabs);
  const own = tabs.filter(
    ({ input }) => input instanceof TabInputText && input.uri.toString() === document.uri.toString(),
  );
  await window.tabGroups.close(own, true);
}
