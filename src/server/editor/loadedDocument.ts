import { PorticoError } from '../../base/errors';
import type { EditorParts } from './editorParts';
import type { OpenDocument } from './editorTypes';
import type { WorkspaceFile } from './workspaceTypes';

type DocumentParts = Pick<EditorParts, 'ports' | 'files' | 'disk' | 'clock'>;

/** How long the editor has for taking over what another program wrote, in milliseconds, and how often that is looked at. */
const reloadMs = 1_000;
const lookMs = 100;

/**
 * The editor's document of a file, loaded where it is not. Rejects with NOT_SUPPORTED where the editor cannot, and with
 * RESOURCE_FAILED where it has another text than the file.
 */
export async function loadDocument(parts: DocumentParts, file: WorkspaceFile): Promise<OpenDocument> {
  let document: OpenDocument;
  try {
    document = parts.files.documentOf(file) ?? (await parts.ports.documents.load(file.uri));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new PorticoError('NOT_SUPPORTED', `The editor cannot open ${file.label}: ${reason}`, { cause });
  }
  if (!isOfThePerson(parts, file, document)) {
    await assertOfFile(parts, file, document);
  }
  return document;
}

/** What the person has before them, or typed, is what they share. */
function isOfThePerson({ ports, files }: DocumentParts, file: WorkspaceFile, document: OpenDocument): boolean {
  return (
    file.path === undefined ||
    document.isDirty ||
    ports.view.editors.peek().some(({ uri }) => files.ofUri(uri)?.uri === file.uri)
  );
}

/** The editor opens what is at a path when it comes to it, which may be a link by then: only the text tells. */
async function assertOfFile(parts: DocumentParts, file: WorkspaceFile, document: OpenDocument): Promise<void> {
  const { clock, disk } = parts;
  for (const deadline = clock.now() + reloadMs; ;) {
    const agreement = await disk.compare(file, document);
    if (agreement === 'same') {
      return;
    }
    if (agreement === 'missing') {
      throw new PorticoError('RESOURCE_UNKNOWN', `There is no file ${file.label}.`);
    }
    if (agreement === 'unknown') {
      const message = `The editor's text of ${file.label} cannot be compared with the file. It can be used once it is open in an editor.`;
      throw new PorticoError('NOT_SUPPORTED', message);
    }
    if (clock.now() >= deadline) {
      const message = `The editor's text of ${file.label} is not what the file has now. Try again.`;
      throw new PorticoError('RESOURCE_FAILED', message);
    }
    await new Promise<void>((resolve) => clock.after(lookMs, resolve));
  }
}
