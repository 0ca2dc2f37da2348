import { type TextDocument, workspace } from 'vscode';
import type { Disposable } from '../../base/disposable';
import { promptScheme } from '../../ids';

/** Saves drafts as they are edited: they live in memory anyway, and closing one asks nothing then. */
export function keepSaved(): Disposable {
  const saving = new Set<TextDocument>();
  const save = async (document: TextDocument): Promise<void> => {
    if (saving.has(document)) {
      return;
    }
    saving.add(document);
    try {
      // What is typed meanwhile is saved with the next round.
      for (let saved = true; saved && document.isDirty;) {
        saved = await document.save();
      }
    } finally {
      saving.delete(document);
    }
  };
  return workspace.onDidChangeTextDocument(({ document }) => {
    if (document.uri.scheme === promptScheme && document.isDirty) {
      void save(document);
    }
  });
}
