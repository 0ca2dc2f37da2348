import type { EditorParts } from '../editorParts';
import type { EditorRange } from '../editorTypes';
import { type Span, spanOf } from '../positions';

/** Longer selections are cut, in characters. */
const maxSelection = 16_384;
const maxSelections = 20;
const maxEditors = 200;

export interface SelectionView extends Span {
  /** Empty for a caret. */
  readonly text: string;
  readonly cut?: true;
}

/** What stands in the active editor. `withheld`: it may not be given, and why. */
export type ActiveView =
  | {
      readonly file: string;
      readonly uri: string;
      readonly languageId: string;
      readonly version: number | undefined;
      readonly dirty: boolean;
      readonly visible: Span | undefined;
      readonly selections: readonly SelectionView[];
    }
  | { readonly withheld: string };

const withheld = 'What is in the active editor is not a file of the workspace, or is on the list of secret files.';

export async function activeView(parts: EditorParts): Promise<ActiveView | undefined> {
  const active = parts.ports.view.active.peek();
  if (active === undefined) {
    return undefined;
  }
  const file = await parts.files.passing(active.uri);
  if (file === undefined) {
    return { withheld };
  }
  const document = parts.files.documentOf(file);
  const selection = (range: EditorRange): SelectionView => {
    const text = document?.text(range) ?? '';
    return {
      ...spanOf(range),
      text: text.slice(0, maxSelection),
      ...(text.length > maxSelection ? { cut: true } : {}),
    };
  };
  return {
    file: file.label,
    uri: file.uri,
    languageId: active.languageId,
    version: document?.version,
    dirty: document?.isDirty ?? false,
    visible: active.visible && spanOf(active.visible),
    selections: active.selections.slice(0, maxSelections).map(selection),
  };
}

export interface OpenView {
  readonly file: string;
  readonly uri: string;
  readonly active: boolean;
  readonly dirty: boolean;
}

/** The open editors whose names may be given, in the editor's order, and how many may not. */
export async function openView(
  parts: EditorParts,
): Promise<{ readonly editors: readonly OpenView[]; readonly withheld: number }> {
  const all = parts.ports.view.editors.peek();
  const views = await Promise.all(
    all.map(async (editor): Promise<readonly OpenView[]> => {
      const file = await parts.files.passing(editor.uri);
      return file === undefined
        ? []
        : [{ file: file.label, uri: file.uri, active: editor.isActive, dirty: editor.isDirty }];
    }),
  );
  const editors = views.flat();
  return { editors: editors.slice(0, maxEditors), withheld: all.length - editors.length };
}
