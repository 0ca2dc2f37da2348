import { createHash } from 'node:crypto';
import type { OpenDocument } from './editorTypes';
import { editorDecoder } from './files/textDecoding';
import { plainLineEnds } from './lineEnds';
import type { WorkspaceFile, WorkspaceFiles } from './workspaceTypes';

/** Larger files are not compared with the editor's copy, in bytes. */
const maxBytes = 20 * 1024 * 1024;
const maxRemembered = 1_000;

export type Agreement = 'same' | 'different' | 'missing' | 'unknown';

/** Whether the editor's copy of a file is what stands on disk: the editor may not have seen a change yet. */
export class TextOnDisk {
  /** By URI: for which state of disk and buffer an answer holds, from when it is begun on, so that nobody else begins it. */
  private readonly known = new Map<string, { readonly state: string; readonly agreement: Promise<Agreement> }>();

  constructor(private readonly files: WorkspaceFiles) {}

  async compare(file: WorkspaceFile, document: OpenDocument): Promise<Agreement> {
    const stat = await this.files.stat(file);
    if (stat === undefined) {
      return 'missing';
    }
    const state = `${stat.stamp} ${document.version} ${document.encoding}`;
    const known = this.known.get(file.uri);
    if (known?.state === state) {
      return known.agreement;
    }
    const compared = { state, agreement: this.compareTexts(file, document, stat.size) };
    this.known.delete(file.uri);
    this.known.set(file.uri, compared);
    const oldest = this.known.keys().next().value;
    if (this.known.size > maxRemembered && oldest !== undefined) {
      this.known.delete(oldest);
    }
    try {
      return await compared.agreement;
    } catch (error) {
      if (this.known.get(file.uri) === compared) {
        this.known.delete(file.uri);
      }
      throw error;
    }
  }

  private async compareTexts(file: WorkspaceFile, document: OpenDocument, size: number): Promise<Agreement> {
    const decoder = size > maxBytes ? undefined : editorDecoder(document.encoding);
    if (decoder === undefined) {
      // Nothing can be said of the text.
      return 'unknown';
    }
    const text = document.text();
    const onDisk = decoder.decode(await this.files.read(file, maxBytes));
    return digest(onDisk) === digest(text) ? 'same' : 'different';
  }
}

/** The editor gives every line the same ending. */
function digest(text: string): string {
  return createHash('sha256').update(plainLineEnds(text)).digest('base64');
}
