import { uriKey } from '../addresses';
import type { EditorParts } from '../editorParts';
import type { OpenDocument } from '../editorTypes';
import type { WorkspaceFile } from '../workspaceTypes';

/**
 * Files as they were when an edit began to be made. Its ranges are of the text of then, so that in any other text they would
 * destroy what they do not mean.
 */
export class SeenFiles {
  private readonly documents: Map<string, Pick<OpenDocument, 'version' | 'isDirty'>>;
  private readonly onDisk = new Map<string, string | undefined>();

  /** Sees what the editor has open now; what is on disk is seen by `look`, once it is known which files are meant. */
  constructor(private readonly parts: Pick<EditorParts, 'files' | 'ports'>) {
    const { documents } = parts.ports;
    this.documents = new Map(
      documents.all().map(({ uri, version, isDirty }) => [uriKey(uri, parts.files.platform), { version, isDirty }]),
    );
  }

  /** Sees the files on disk; false where one has another text in the editor by now. */
  async look(files: readonly WorkspaceFile[]): Promise<boolean> {
    await Promise.all(files.map(async (file) => this.onDisk.set(file.uri, await this.stampOf(file))));
    return files.every((file) => this.isSame(file, this.onDisk.get(file.uri)));
  }

  /** Whether all files have the text that they were seen with; to be asked right before they are changed. */
  async areSame(files: readonly WorkspaceFile[]): Promise<boolean> {
    const stamps = await Promise.all(files.map((file) => this.stampOf(file)));
    return files.every((file, index) => this.isSame(file, stamps[index]));
  }

  private isSame(file: WorkspaceFile, onDisk: string | undefined): boolean {
    const seen = this.documents.get(uriKey(file.uri, this.parts.files.platform));
    const document = this.parts.files.documentOf(file);
    const before = this.onDisk.get(file.uri);
    if (seen === undefined || document === undefined) {
      // The editor has taken it from the disk meanwhile, or given it back: then the text is that of the disk.
      return onDisk === before && seen?.isDirty !== true && document?.isDirty !== true;
    }
    const isGone = before !== undefined && onDisk === undefined;
    return document.version === seen.version && !isGone;
  }

  private async stampOf(file: WorkspaceFile): Promise<string | undefined> {
    return (await this.parts.files.stat(file))?.stamp;
  }
}
