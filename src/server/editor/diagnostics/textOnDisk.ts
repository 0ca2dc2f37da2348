import { createHash } from 'node:crypto';
import type { OpenDocument } from '../editorTypes';
import type { WorkspaceFile, WorkspaceFiles } from '../workspaceTypes';

/** Larger files are not compared with the editor's copy, in bytes. */
const maxBytes = 20 * 1024 * 1024;
const maxRemembered = 1_000;

export type Agreement = 'same' | 'different' | 'missing' | 'unknown';

/** Whether the editor's copy of a file is what stands on disk: the editor may not have seen a change yet. */
export class TextOnDisk {
  /** By URI: for which state of disk and buffer an answer holds. */
  private readonly known = new Map<string, { readonly state: string; readonly agreement: Agreement }>();

  constructor(private readonly files: WorkspaceFiles) {}

  async compare(file: WorkspaceFile, document: OpenDocument): Promise<Agreement> {
    const stat = await this.files.stat(file);
    if (stat === undefined) {
      return 'missing';
    }
    const state = `${stat.mtimeMs} ${stat.size} ${document.version} ${document.encoding}`;
    const known = this.known.get(file.uri);
    if (known?.state === state) {
      return known.agreement;
    }
    const agreement = stat.size > maxBytes ? 'unknown' : await this.compareTexts(file, document);
    this.known.delete(file.uri);
    this.known.set(file.uri, { state, agreement });
    const oldest = this.known.keys().next().value;
    if (this.known.size > maxRemembered && oldest !== undefined) {
      this.known.delete(oldest);
    }
    return agreement;
  }

  private async compareTexts(file: WorkspaceFile, document: OpenDocument): Promise<Agreement> {
    const decoder = decoderOf(document.encoding);
    if (decoder === undefined) {
      return 'unknown';
    }
    const text = document.text();
    const onDisk = decoder.decode(await this.files.read(file, maxBytes));
    return digest(onDisk) === digest(text) ? 'same' : 'different';
  }
}

/** The editor gives every line the same ending. */
function digest(text: string): string {
  return createHash('sha256').update(text.replace(/\r\n?/g, '\n')).digest('base64');
}

/** The editor's names of encodings (`utf8bom`, `windows1252`, `iso88591`) as the platform's decoder knows them. */
function decoderOf(encoding: string): InstanceType<typeof TextDecoder> | undefined {
  const label = encoding
    .replace(/^utf8bom$/, 'utf8')
    .replace(/^utf16(le|be)$/, 'utf-16$1')
    .replace(/^windows(\d+)$/, 'windows-$1')
    .replace(/^iso8859(\d+)$/, 'iso-8859-$1')
    .replace(/^koi8/, 'koi8-');
  try {
    return new TextDecoder(label);
  } catch {
    // An encoding that the platform does not know: nothing can be said of the text.
    return undefined;
  }
}
