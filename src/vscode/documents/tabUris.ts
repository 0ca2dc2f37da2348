import {
  type Tab,
  TabInputCustom,
  TabInputNotebook,
  TabInputNotebookDiff,
  TabInputText,
  TabInputTextDiff,
  type Uri,
} from 'vscode';

/** The documents that a tab shows: two where it compares them. */
export function tabUris({ input }: Tab): readonly Uri[] {
  if (input instanceof TabInputText || input instanceof TabInputCustom || input instanceof TabInputNotebook) {
    return [input.uri];
  }
  return input instanceof TabInputTextDiff || input instanceof TabInputNotebookDiff
    ? [input.original, input.modified]
    : [];
}
