import { type Location, type LocationLink, Position, Range, Uri, WorkspaceEdit } from 'vscode';
import { PorticoError } from '../../base/errors';
import type {
  EditorEdit,
  EditorLocation,
  EditorPosition,
  EditorRange,
  TextReplacement,
} from '../../server/editor/editorTypes';

export function fromPosition({ line, character }: Position): EditorPosition {
  return { line, character };
}

export function toPosition({ line, character }: EditorPosition): Position {
  return new Position(line, character);
}

export function fromRange({ start, end }: Range): EditorRange {
  return { start: fromPosition(start), end: fromPosition(end) };
}

export function toRange({ start, end }: EditorRange): Range {
  return new Range(toPosition(start), toPosition(end));
}

/** Language extensions give either shape. */
export function fromLocation(place: Location | LocationLink): EditorLocation {
  return 'targetUri' in place
    ? { uri: place.targetUri.toString(), range: fromRange(place.targetSelectionRange ?? place.targetRange) }
    : { uri: place.uri.toString(), range: fromRange(place.range) };
}

/**
 * The text edits of an edit. Rejects one that also makes, renames or deletes files: the editor's API does not tell
 * which, so nobody could be asked about them.
 */
export function fromEdit(edit: WorkspaceEdit): EditorEdit {
  const entries = edit.entries();
  if (edit.size > entries.length) {
    throw new PorticoError(
      'NOT_SUPPORTED',
      'This change also creates, renames or deletes files, which cannot be shown before. Do it in the editor.',
    );
  }
  return {
    edits: entries.map(([uri, edits]) => ({
      uri: uri.toString(),
      replacements: edits.map(fromReplacement),
    })),
    files: [],
  };
}

export function toEdit({ edits, files }: EditorEdit): WorkspaceEdit {
  const edit = new WorkspaceEdit();
  const made = new Set(files.flatMap(({ kind, uri }) => (kind === 'create' ? [uri] : [])));
  for (const { kind, uri, to } of files) {
    if (kind === 'create') {
      // With its text at once: made empty and filled then, it would take two steps to undo.
      const text = edits
        .filter((one) => one.uri === uri)
        .flatMap(({ replacements }) => replacements.map((one) => one.text));
      edit.createFile(Uri.parse(uri, true), { contents: new TextEncoder().encode(text.join('')) });
    } else if (kind === 'delete') {
      edit.deleteFile(Uri.parse(uri, true));
    } else if (to !== undefined) {
      edit.renameFile(Uri.parse(uri, true), Uri.parse(to, true));
    }
  }
  for (const { uri, replacements } of edits.filter((one) => !made.has(one.uri))) {
    for (const { range, text } of replacements) {
      edit.replace(Uri.parse(uri, true), toRange(range), text);
    }
  }
  return edit;
}

export function fromReplacement({
  range,
  newText,
}: {
  readonly range: Range;
  readonly newText: string;
}): TextReplacement {
  return { range: fromRange(range), text: newText };
}
