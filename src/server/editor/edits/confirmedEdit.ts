import type { CallToolResult } from '@modelcontextprotocol/server';
import { PorticoError } from '../../../base/errors';
import type { EditorParts } from '../editorParts';
import type { EditorEdit } from '../editorTypes';
import type { OfferContext } from '../offerTypes';
import { changedOutcome, filesOf, isEmpty, refusedByPerson, unchanged } from './editOutcome';
import { versionsOf } from './versions';

/** Shows the person an edit, and applies it where they agree and the files are as they were shown. */
export async function confirmedEdit(
  parts: EditorParts,
  context: OfferContext,
  title: string,
  edit: EditorEdit,
  apply: () => Promise<boolean> = () => parts.ports.edits.apply(edit, title),
): Promise<CallToolResult> {
  const files = filesOf(parts, edit);
  if (isEmpty(edit)) {
    return unchanged('There is nothing to change.');
  }
  return parts.pending.run(context, async (signal) => {
    const before = versionsOf(parts, files);
    if (!(await parts.ports.confirm.confirm(context.client.label, { kind: 'edit', title, edit }, signal))) {
      return refusedByPerson();
    }
    if (signal.aborted || versionsOf(parts, files) !== before) {
      throw new PorticoError(
        'CALL_DENIED',
        'A file changed while the person was asked. Nothing was changed; read it again.',
      );
    }
    const baseline = parts.diagnostics.mark();
    if (!(await apply())) {
      throw new PorticoError('CALL_DENIED', 'The editor refused the change. Read the files again and try once more.');
    }
    return changedOutcome(parts, edit, baseline, signal);
  });
}
