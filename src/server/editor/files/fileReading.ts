import { cancelled, PorticoError } from '../../../base/errors';
import { mimeTypeOf } from '../../../base/mimeTypes';
import { sizeText } from '../../../base/sizeText';
import type { DocumentsPort, OpenDocument } from '../editorTypes';
import type { Asker } from './asker';
import type { TextMeta } from './fileMeta';
import { segmentsBelow } from './fileNames';
import { missing } from './gateErrors';
import { LargeReads } from './largeReads';
import { takeLinesOfLarge } from './largeText';
import type { OpenedFile } from './openedFile';
import type { FoundFile, GatedPath, PathGate } from './pathGate';
import { countLines, lineCount, type LinesTaken, type LinesWanted, takeLines } from './takeLines';
import { decodeText, editorDecoder, encodingOf, GUESS, isBinary, markOf } from './textDecoding';

/** Larger texts are read in parts, larger files of other kinds not at all. */
export const LARGEST_TEXT = 1_024 * 1_024;
export const LARGEST_BLOB = 5 * 1_024 * 1_024;
const HEAD_BYTES = 256 * 1_024;

export type FileContent =
  | { readonly kind: 'text'; readonly text: string; readonly mimeType: string; readonly meta: TextMeta }
  | { readonly kind: 'blob'; readonly base64: string; readonly mimeType: string; readonly mtime: string };

export interface FilePart extends LinesTaken {
  readonly meta: TextMeta;
  /** Absent where the file is too large to be counted. */
  readonly totalLines?: number;
  /** The same as long as the text is. */
  readonly stamp: string;
}

interface WholeText {
  readonly text: string;
  readonly meta: TextMeta;
  readonly stamp: string;
}

interface DiskFile {
  readonly file: OpenedFile;
  /** The first of it, which most files have no more than. */
  readonly head: Uint8Array;
  readonly stamp: string;
}

/** Reads files as the person sees them: unsaved text first, then the disk, also where the editor has not yet seen it change. */
export class FileReading {
  private readonly large = new LargeReads();

  constructor(
    private readonly gate: PathGate,
    private readonly documents: DocumentsPort,
  ) {}

  /** What can be read: what is there, and what the editor still has unsaved. */
  async resolve(name: string, folder?: string): Promise<GatedPath> {
    return this.known(await this.gate.resolve(name, folder));
  }

  /** As `resolve`, and open while it is read, so that all that is told of it is of one and the same. */
  async use<T>(name: string, folder: string | undefined, run: (found: FoundFile) => Promise<T>): Promise<T> {
    const found = await this.gate.resolveOpen(name, folder);
    try {
      this.known(found.place);
      return await run(found);
    } finally {
      found.opened?.close();
    }
  }

  /** A whole file. Rejects with RESOURCE_FAILED where it is too large, with CANCELLED once the signal is aborted, with RATE_LIMITED where too many wait. */
  async whole(found: FoundFile, asker: Asker): Promise<FileContent> {
    const file = found.place;
    const mimeType = mimeTypeOf(file.path);
    const buffer = this.unsaved(file);
    if (buffer) {
      this.checkLength(file, Buffer.byteLength(buffer.text));
      return { kind: 'text', text: buffer.text, mimeType: mimeType ?? 'text/plain', meta: buffer.meta };
    }
    return this.withDisk(found, asker, async (disk) => {
      throwIfLeft(asker.signal);
      const { size, mtime } = disk.file;
      if (isBinary(disk.head)) {
        if (size > LARGEST_BLOB) {
          const message = `${this.gate.label(file)} has ${size} bytes of binary data, and at most ${LARGEST_BLOB} are given.`;
          throw new PorticoError('RESOURCE_FAILED', message);
        }
        const base64 = Buffer.from(await wholeOf(disk)).toString('base64');
        return { kind: 'blob', base64, mimeType: mimeType ?? 'application/octet-stream', mtime };
      }
      this.checkLength(file, size);
      const { text, meta } = await this.textOf(file, disk);
      return { kind: 'text', text, mimeType: mimeType ?? 'text/plain', meta };
    });
  }

  /** Some lines of a text file of any size. Rejects with RESOURCE_FAILED for binary data, ARGUMENTS_INVALID past the end. */
  async part(found: FoundFile, wanted: LinesWanted, asker: Asker): Promise<FilePart> {
    const file = found.place;
    const buffer = this.unsaved(file);
    if (buffer) {
      return this.partOf(file, buffer, wanted);
    }
    return this.withDisk(found, asker, async (disk) => {
      const { size } = disk.file;
      if (isBinary(disk.head)) {
        const message = `${this.gate.label(file)} is binary data (${sizeText(size)}). Read the resource ${file.uri} to get it as it is.`;
        throw new PorticoError('RESOURCE_FAILED', message);
      }
      return size <= LARGEST_TEXT
        ? this.partOf(file, await this.textOf(file, disk), wanted)
        : this.partOfLarge(file, disk, wanted, asker.signal);
    });
  }

  /** Text that is another one whenever the file is. */
  async stamp(found: FoundFile, asker: Asker): Promise<string> {
    return this.unsaved(found.place)?.stamp ?? this.withDisk(found, asker, async ({ stamp }) => stamp);
  }

  /** The editor's document of a file, by whichever of its names it was opened. */
  documentOf(file: GatedPath): OpenDocument | undefined {
    const isOf = (path: string) => (document: OpenDocument) =>
      document.path !== undefined && segmentsBelow(document.path, path, this.gate.platform)?.length === 0;
    const all = this.documents.all();
    return this.documents.find(file.uri) ?? all.find(isOf(file.path)) ?? all.find(isOf(file.realPath));
  }

  private unsaved(file: GatedPath): WholeText | undefined {
    const document = this.documentOf(file);
    return document?.isDirty === true ? textOfDocument(document) : undefined;
  }

  private partOf(file: GatedPath, { text, meta, stamp }: WholeText, wanted: LinesWanted): FilePart {
    const totalLines = countLines(text);
    const taken = takeLines(text, wanted);
    if (!taken) {
      const message = `${this.gate.label(file)} has ${lineCount(text)}; there is no line ${wanted.startLine}.`;
      throw new PorticoError('ARGUMENTS_INVALID', message);
    }
    return { ...taken, meta, totalLines, stamp };
  }

  private async partOfLarge(
    file: GatedPath,
    disk: DiskFile,
    wanted: LinesWanted,
    signal: AbortSignal,
    encoding = encodingOf(disk.head, true),
  ): Promise<FilePart> {
    const large = { file: disk.file, mark: markOf(disk.head)?.length ?? 0, encoding };
    let taken: Awaited<ReturnType<typeof takeLinesOfLarge>>;
    try {
      taken = await takeLinesOfLarge(large, wanted, signal);
    } catch (error) {
      if (error instanceof TypeError && encoding !== GUESS) {
        // It is no UTF-8 further down.
        return this.partOfLarge(file, disk, wanted, signal, GUESS);
      }
      throw error;
    }
    if (!taken) {
      const message = `${this.gate.label(file)} has fewer lines than ${wanted.startLine}.`;
      throw new PorticoError('ARGUMENTS_INVALID', message);
    }
    const { eol, ...lines } = taken;
    const { mtime } = disk.file;
    // Columns are others where the encoding is, and it is known only as far as the text was read.
    const stamp = `${disk.stamp} ${encoding}`;
    return { ...lines, meta: { source: 'disk', dirty: false, mtime, encoding, eol }, stamp };
  }

  /** The text on disk, or the editor's where it is the same, or where the editor alone knows the encoding. */
  private async textOf(file: GatedPath, disk: DiskFile): Promise<WholeText> {
    const bytes = await wholeOf(disk);
    const decoded = decodeText(bytes);
    if (decoded.kind === 'binary') {
      throw new PorticoError(
        'RESOURCE_FAILED',
        `${this.gate.label(file)} has changed while it was read. Read it again.`,
      );
    }
    const { text, encoding } = decoded;
    const document = this.documentOf(file);
    const known = document && encoding === GUESS ? editorDecoder(document.encoding)?.decode(bytes) : text;
    if (document && known !== undefined && unified(document.text()) === unified(known)) {
      const buffer = textOfDocument(document);
      return { ...buffer, meta: { ...buffer.meta, mtime: disk.file.mtime } };
    }
    const meta: TextMeta = { source: 'disk', dirty: false, mtime: disk.file.mtime, encoding, eol: eolOf(text) };
    return { text, meta, stamp: disk.stamp };
  }

  private async withDisk<T>(
    { place, opened }: FoundFile,
    asker: Asker,
    read: (disk: DiskFile) => Promise<T>,
  ): Promise<T> {
    const file = opened ?? (await this.gate.open(place));
    try {
      return await this.large.run(file.size, asker.client.id, asker.signal, async () => {
        const head = await file.bytes(0, Math.min(file.size, HEAD_BYTES));
        return read({ file, head, stamp: `disk ${file.stamp}` });
      });
    } finally {
      if (opened === undefined) {
        file.close();
      }
    }
  }

  private known(file: GatedPath): GatedPath {
    if (file.kind === undefined && this.documentOf(file)?.isDirty !== true) {
      throw missing(this.gate.label(file));
    }
    return file;
  }

  private checkLength(file: GatedPath, bytes: number): void {
    if (bytes > LARGEST_TEXT) {
      const label = this.gate.label(file);
      const message = `${label} has ${bytes} bytes, and at most ${LARGEST_TEXT} are given at once. read_file gives it in parts, by startLine and endLine.`;
      throw new PorticoError('RESOURCE_FAILED', message);
    }
  }
}

function throwIfLeft(signal: AbortSignal): void {
  if (signal.aborted) {
    throw cancelled('Reading the file');
  }
}

async function wholeOf({ file, head }: DiskFile): Promise<Uint8Array> {
  return file.size <= head.length ? head : file.bytes(0, file.size);
}

function textOfDocument(document: OpenDocument): WholeText {
  const { version, isDirty, encoding, eol } = document;
  const meta: TextMeta = { source: 'buffer', dirty: isDirty, version, encoding, eol: eol === '\n' ? 'lf' : 'crlf' };
  return { text: document.text(), meta, stamp: `buffer ${version}` };
}

/** The editor has one kind of line ends in a document, whatever the file has. */
function unified(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

function eolOf(text: string): TextMeta['eol'] {
  return text.includes('\r\n') ? 'crlf' : 'lf';
}
