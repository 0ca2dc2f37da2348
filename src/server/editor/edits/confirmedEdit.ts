import type { CallToolResult } from '@modelcontextprotocol/server';
import { PorticoError } from '../../../base/errors';
import type { EditorParts } from '../editorParts';
import type { EditorEdit } from '../editorTypes';
import type { OfferContext } from '../offerTypes';
import { changedOutcome, filesOf, isEmpty, refusedByPerson, unchanged } from './editOutcome';
import type { SeenFiles } from './seenFiles';

type Apply = () => Promise<boolean>;

/** Shows the person an edit of the files as they were seen, and applies it where they agree and the files are still so. */
export async function confirmedEdit(
  parts: EditorParts,
  context: OfferContext,
  title: string,
  edit: EditorEdit,
  seen: SeenFiles,
  apply: Apply = () => parts.ports.edits.apply(edit, title),
): Promise<CallToolResult> {
  const files = await filesOf(parts, edit);
  if (isEmpty(edit)) {
    return unchanged('There is nothing to change.');
  }
  if (!(await seen.look(files))) {
    throw changedMeanwhile();
  }
  return parts.pending.run(context, async (signal) => {
    if (!(await parts.ports.confirm.confirm(context.client.label, { kind: 'edit', title, edit }, signal))) {
      return refusedByPerson();
    }
    return applySeen(parts, edit, seen, signal, apply);
  });
}

/** Applies what the person agreed to, where the files are as they were seen and no link was put in the place of one. */
export async function applySeen(
  parts: EditorParts,
  edit: EditorEdit,
  seen: SeenFiles,
  signal: AbortSignal,
  apply: Apply,
): Promise<CallToolResult> {
  const files = await filesOf(parts, edit);
  if (!(await seen.areSame(files)) || signal.aborted) {
    throw changedMeanwhile();
  }
  const baseline = parts.diagnostics.mark();
  if (!(await apply())) {
    throw new PorticoError('CALL_DENIED', 'The editor refused the change. Read the files again and try once more.');
  }
  return changedOutcome(parts, edit, baseline, signal);
}

function changedMeanwhile(): PorticoError {
  return new PorticoError(
    'CALL_DENIED',
    'A file changed since the edit was made for it. Nothing was changed; read it again.',
  );
}
