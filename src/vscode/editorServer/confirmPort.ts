import { type Range, Uri, workspace } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import type { ConfirmPort, EditorEdit, EffectRequest, TextReplacement } from '../../server/editor/editorTypes';
import { type Choice, choose } from '../interop/choose';
import { counted, inertLine } from '../interop/text';
import { toRange } from './conversions';
import type { Proposals } from './proposals';

type Decision = 'apply' | 'refuse' | { readonly file: string };

/** Asks the person before an agent changes or runs something: a pick over the diff, and closing it refuses. */
export class EditorConfirm implements ConfirmPort {
  constructor(private readonly proposals: Proposals) {}

  async confirm(client: string, effect: EffectRequest, signal: AbortSignal): Promise<boolean> {
    const title = inertLine(`${client}: ${effect.title}`);
    if (effect.kind === 'edit') {
      return this.confirmEdit(title, effect.edit, signal);
    }
    const detail = effect.kind === 'task' ? `${effect.task.source} task` : effect.detail;
    const answer = await choose<Decision>(
      title,
      inertLine(detail) || 'It runs only if you say so',
      [
        { label: '$(play) Run', value: 'apply' },
        { label: '$(close) Refuse', value: 'refuse' },
      ],
      signal,
    );
    return answer === 'apply';
  }

  private async confirmEdit(title: string, edit: EditorEdit, signal: AbortSignal): Promise<boolean> {
    const store = new DisposableStore();
    let shown: Disposable | undefined;
    const show = async (uri: string): Promise<void> => {
      if (shown) {
        store.release(shown);
      }
      shown = store.add(await this.preview(uri, edit, title));
    };
    try {
      const [first] = edit.edits;
      if (first) {
        await show(first.uri);
      }
      for (;;) {
        const answer = await choose<Decision>(title, summary(edit), choices(edit), signal);
        if (typeof answer !== 'object') {
          return answer === 'apply';
        }
        await show(answer.file);
      }
    } finally {
      store.dispose();
    }
  }

  private async preview(uri: string, edit: EditorEdit, title: string): Promise<Disposable> {
    if (edit.files.some((file) => file.kind === 'create' && file.uri === uri)) {
      const texts = edit.edits.filter((one) => one.uri === uri).flatMap(({ replacements }) => replacements);
      return this.proposals.previewNew(uri, texts.map(({ text }) => text).join(''), title);
    }
    const document = await workspace.openTextDocument(Uri.parse(uri, true));
    const replacements = edit.edits.filter((one) => one.uri === uri).flatMap((one) => one.replacements);
    const text = applied(document.getText(), replacements, (range) => [
      document.offsetAt(range.start),
      document.offsetAt(range.end),
    ]);
    return this.proposals.preview(uri, text, title);
  }
}

function choices(edit: EditorEdit): readonly Choice<Decision>[] {
  const files = edit.edits.map(({ uri }) => uri);
  return [
    { label: '$(check) Apply', description: 'One step of undo', value: 'apply' },
    { label: '$(close) Refuse', value: 'refuse' },
    ...(files.length < 2
      ? []
      : files.map((file) => ({
          label: `$(diff) Show ${inertLine(workspace.asRelativePath(Uri.parse(file, true)))}`,
          value: { file },
        }))),
  ];
}

function summary({ edits, files }: EditorEdit): string {
  const created = new Set(files.flatMap(({ kind, uri }) => (kind === 'create' ? [uri] : [])));
  const changed = edits.filter(({ uri }) => !created.has(uri));
  const changes = changed.reduce((sum, { replacements }) => sum + replacements.length, 0);
  const made = files.map(({ kind, uri }) => `${kind} ${workspace.asRelativePath(Uri.parse(uri, true))}`);
  const counts = changed.length === 0 ? [] : [`${counted(changes, 'change')} in ${counted(changed.length, 'file')}`];
  return inertLine([...counts, ...made].join(', '));
}

/** The text with all replacements made; they do not overlap. */
function applied(
  text: string,
  replacements: readonly TextReplacement[],
  offsets: (range: Range) => readonly [number, number],
): string {
  const ordered = replacements
    .map(({ range, text: replacement }) => ({ offsets: offsets(toRange(range)), replacement }))
    .sort((a, b) => a.offsets[0] - b.offsets[0]);
  let done = '';
  let at = 0;
  for (const {
    offsets: [start, end],
    replacement,
  } of ordered) {
    done += text.slice(at, start) + replacement;
    at = end;
  }
  return done + text.slice(at);
}
