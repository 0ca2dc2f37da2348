import { signal } from '@preact/signals-core';
import {
  type Tab,
  TabInputCustom,
  TabInputNotebook,
  TabInputText,
  TabInputTextDiff,
  Uri,
  ViewColumn,
  window,
} from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import type { ActiveEditor, DiffVerdict, EditorRange, OpenEditor, ViewPort } from '../../server/editor/editorTypes';
import { fromRange, toRange } from './conversions';
import type { Proposals } from './proposals';

/** What the person has in front of them. Panels such as the output, which the API calls editors too, are none. */
const notEditors: ReadonlySet<string> = new Set(['output', 'debug', 'comment', 'vscode-terminal']);

export class EditorView implements ViewPort, Disposable {
  private readonly store = new DisposableStore();
  readonly active = signal(currentEditor());
  readonly editors = signal(currentEditors());

  constructor(private readonly proposals: Proposals) {
    const follow = (): void => {
      this.active.value = currentEditor();
    };
    this.store.add(window.onDidChangeActiveTextEditor(follow));
    this.store.add(window.onDidChangeTextEditorSelection(follow));
    this.store.add(window.onDidChangeTextEditorVisibleRanges(follow));
    this.store.add(window.tabGroups.onDidChangeTabs(() => (this.editors.value = currentEditors())));
    this.store.add(window.tabGroups.onDidChangeTabGroups(() => (this.editors.value = currentEditors())));
  }

  /** The person goes on typing where they are: the focus is not taken. */
  async show(uri: string, range: EditorRange | undefined): Promise<void> {
    await window.showTextDocument(Uri.parse(uri, true), {
      preserveFocus: true,
      viewColumn: ViewColumn.Active,
      ...(range && { selection: toRange(range) }),
    });
  }

  showDiff(uri: string, proposed: string, title: string, signal: AbortSignal): Promise<DiffVerdict> {
    return this.proposals.ask(uri, proposed, title, signal);
  }

  dispose(): void {
    this.store.dispose();
  }
}

function currentEditor(): ActiveEditor | undefined {
  const editor = window.activeTextEditor;
  if (editor === undefined || notEditors.has(editor.document.uri.scheme)) {
    return undefined;
  }
  const [visible] = editor.visibleRanges;
  return {
    uri: editor.document.uri.toString(),
    languageId: editor.document.languageId,
    selections: editor.selections.map(fromRange),
    visible: visible && fromRange(visible),
  };
}

function currentEditors(): readonly OpenEditor[] {
  return window.tabGroups.all.flatMap((group) =>
    group.tabs.flatMap((tab) => {
      const uri = uriOf(tab);
      return uri === undefined
        ? []
        : [
            {
              uri: uri.toString(),
              label: tab.label,
              isActive: tab.isActive && group.isActive,
              isDirty: tab.isDirty,
            },
          ];
    }),
  );
}

function uriOf({ input }: Tab): Uri | undefined {
  if (input instanceof TabInputText || input instanceof TabInputNotebook || input instanceof TabInputCustom) {
    return input.uri;
  }
  return input instanceof TabInputTextDiff ? input.modified : undefined;
}
