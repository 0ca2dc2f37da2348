import { Range, Selection, type TextDocument, type TextEditor, Uri, window, workspace } from 'vscode';
import type { ConfigPlace } from '../../core/config/configTypes';

/** Where a place stands in a document that may have been edited since. */
export function toRange(document: TextDocument, place: ConfigPlace): Range {
  return document.validateRange(
    new Range(document.positionAt(place.offset), document.positionAt(place.offset + place.length)),
  );
}

/** Opens a file at a place, the entry's first line in the middle. */
export async function openPlace(place: ConfigPlace): Promise<TextEditor> {
  const document = await workspace.openTextDocument(Uri.file(place.file));
  const range = toRange(document, place);
  const editor = await window.showTextDocument(document, { selection: new Range(range.start, range.start) });
  editor.selection = new Selection(range.start, range.start);
  editor.revealRange(range);
  return editor;
}
