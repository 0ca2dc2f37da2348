import { type TextEditor, window } from 'vscode';
import type { Disposable } from '../../base/disposable';
import { promptScheme, scheme } from '../../ids';

/** The editor that the person wrote in last; drafts and what only can be read do not count. */
export class LastEditor implements Disposable {
  private last: TextEditor | undefined;
  private readonly subscription: Disposable;

  constructor() {
    this.note(window.activeTextEditor);
    this.subscription = window.onDidChangeActiveTextEditor((editor) => this.note(editor));
  }

  get editor(): TextEditor | undefined {
    return this.last?.document.isClosed === true ? undefined : this.last;
  }

  dispose(): void {
    this.subscription.dispose();
  }

  private note(editor: TextEditor | undefined): void {
    if (editor && ![promptScheme, scheme, 'output'].includes(editor.document.uri.scheme)) {
      this.last = editor;
    }
  }
}
