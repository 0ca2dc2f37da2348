import type { FileHandle } from 'node:fs/promises';
import { readdir } from 'node:fs/promises';
import { PorticoError } from '../../../base/errors';
import { mimeTypeOf } from '../../../base/mimeTypes';
import { sizeText } from '../../../base/sizeText';
import type { DocumentsPort, OpenDocument } from '../editorTypes';
import type { TextMeta } from './fileMeta';
import { fileUri, pathsOf, segmentsBelow } from './fileNames';
import { missing, outside } from './gateErrors';
import type { GatedPath, PathGate } from './pathGate';
import { countLines, type LinesTaken, type LinesWanted, takeLines } from './takeLines';
import { type Decoded, decodeText, isBinary, markOf } from './textDecoding';

/** Larger texts are read in parts, larger files of other kinds not at all. */
export const LARGEST_TEXT = 1_024 * 1_024;
export const LARGEST_BLOB = 5 * 1_024 * 1_024;
const CHUNK_BYTES = 256 * 1_024;
const MOST_ENTRIES = 1_000;

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

export interface DirectoryEntry {
  readonly name: string;
  readonly kind: 'file' | 'directory';
  readonly uri: string;
}

export interface DirectoryListing {
  readonly entries: readonly DirectoryEntry[];
  /** How many there are; more than are given where there are very many. */
  readonly total: number;
}

interface WholeText {
  readonly text: string;
  readonly meta: TextMeta;
  readonly stamp: string;
}

interface DiskFile {
  readonly handle: FileHandle;
  readonly size: number;
  readonly mtime: string;
  readonly stamp: string;
}

/** Reads files as the person sees them: unsaved text first, then the disk, also where the editor has not yet seen it change. */
export class FileReading {
  constructor(
    private readonly gate: PathGate,
    private readonly documents: DocumentsPort,
  ) {}

  /** What can be read: what is there, and what the editor still has unsaved. */
  async resolve(name: string, folder?: string): Promise<GatedPath> {
    const found = await this.gate.resolve(name, folder);
    if (found.kind === undefined && this.documentOf(found)?.isDirty !== true) {
      throw missing(this.gate.label(found));
    }
    return found;
  }

  /** A whole file. Rejects with RESOURCE_FAILED where it is too large. */
  async whole(file: GatedPath): Promise<FileContent> {
    const mimeType = mimeTypeOf(file.path);
    const buffer = this.unsaved(file);
    if (buffer) {
      this.checkLength(file, Buffer.byteLength(buffer.text));
      return { kind: 'text', text: buffer.text, mimeType: mimeType ?? 'text/plain', meta: buffer.meta };
    }
    return this.withDisk(file, async (disk) => {
      const head = await readAt(disk.handle, 0, CHUNK_BYTES);
      if (isBinary(head)) {
        if (disk.size > LARGEST_BLOB) {
          const message = `${this.gate.label(file)} is ${sizeText(disk.size)} of binary data; at most ${sizeText(LARGEST_BLOB)} are given.`;
          throw new PorticoError('RESOURCE_FAILED', message);
        }
        const bytes = await readAt(disk.handle, 0, disk.size);
        const type = mimeType ?? 'application/octet-stream';
        return { kind: 'blob', base64: Buffer.from(bytes).toString('base64'), mimeType: type, mtime: disk.mtime };
      }
      this.checkLength(file, disk.size);
      const { text, meta } = await this.textOf(file, disk);
      return { kind: 'text', text, mimeType: mimeType ?? 'text/plain', meta };
    });
  }

  /** Some lines of a text file of any size. Rejects with RESOURCE_FAILED for binary data, ARGUMENTS_INVALID past the end. */
  async part(file: GatedPath, wanted: LinesWanted): Promise<FilePart> {
    const buffer = this.unsaved(file);
    if (buffer) {
      return this.partOf(file, buffer, wanted);
    }
    return this.withDisk(file, async (disk) => {
      const head = await readAt(disk.handle, 0, CHUNK_BYTES);
      if (isBinary(head)) {
        const message = `${this.gate.label(file)} is binary data (${sizeText(disk.size)}). Read the resource ${file.uri} to get it as it is.`;
        throw new PorticoError('RESOURCE_FAILED', message);
      }
      return disk.size <= LARGEST_TEXT
        ? this.partOf(file, await this.textOf(file, disk), wanted)
        : this.partOfLarge(file, disk, head, wanted);
    });
  }

  /** Text that is another one whenever the file is. */
  async stamp(file: GatedPath): Promise<string> {
    return this.unsaved(file)?.stamp ?? this.withDisk(file, async ({ stamp }) => stamp);
  }

  /** What a directory holds and agents may be given, in the order of the names. */
  async directory(directory: GatedPath): Promise<DirectoryListing> {
    const { join } = pathsOf(this.gate.platform);
    const found = await readdir(directory.realPath, { withFileTypes: true });
    const again = await this.gate.passing(directory.path);
    if (again?.realPath !== directory.realPath) {
      throw outside(this.gate.label(directory), [directory.folder]);
    }
    const given = found
      .filter(({ name }) => !this.gate.isSecret([...directory.segments, name]))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    const entries = await Promise.all(
      given.slice(0, MOST_ENTRIES).map(async (entry): Promise<readonly DirectoryEntry[]> => {
        const path = join(directory.path, entry.name);
        const kind = entry.isFile()
          ? 'file'
          : entry.isDirectory()
            ? 'directory'
            : entry.isSymbolicLink()
              ? (await this.gate.passing(path))?.kind
              : undefined;
        return kind === undefined ? [] : [{ name: entry.name, kind, uri: fileUri(path, this.gate.platform) }];
      }),
    );
    return { entries: entries.flat(), total: given.length };
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
      const message = `${this.gate.label(file)} has ${totalLines} lines; there is no line ${wanted.startLine}.`;
      throw new PorticoError('ARGUMENTS_INVALID', message);
    }
    return { ...taken, meta, totalLines, stamp };
  }

  /** Reads on until it has what is wanted; what comes before is read, but not kept. */
  private async partOfLarge(file: GatedPath, disk: DiskFile, head: Uint8Array, wanted: LinesWanted): Promise<FilePart> {
    const encoding = markOf(head)?.encoding ?? 'utf-8';
    const decoder = new TextDecoder(encoding);
    const needed = wanted.column + wanted.maxCharacters + 2;
    let text = '';
    let line = 1;
    for (let at = 0; at < disk.size && (line < wanted.startLine || text.length < needed); at += CHUNK_BYTES) {
      const bytes = await readAt(disk.handle, at, CHUNK_BYTES);
      text += decoder.decode(bytes, { stream: at + CHUNK_BYTES < disk.size });
      let start = 0;
      for (let feed = text.indexOf('\n'); feed >= 0 && line < wanted.startLine; feed = text.indexOf('\n', start)) {
        line += 1;
        start = feed + 1;
      }
      text = line < wanted.startLine ? text.slice(text.lastIndexOf('\n') + 1) : text.slice(start);
    }
    const shift = wanted.startLine - 1;
    const endLine = wanted.endLine === undefined ? {} : { endLine: wanted.endLine - shift };
    const taken =
      line < wanted.startLine || (text === '' && line > 1)
        ? undefined
        : takeLines(text, { ...wanted, ...endLine, startLine: 1 });
    if (!taken) {
      const message = `${this.gate.label(file)} has fewer lines than ${wanted.startLine}.`;
      throw new PorticoError('ARGUMENTS_INVALID', message);
    }
    const eol = text.includes('\r\n') ? 'crlf' : 'lf';
    return {
      text: taken.text,
      startLine: wanted.startLine,
      endLine: taken.endLine + shift,
      ...(taken.next ? { next: { ...taken.next, line: taken.next.line + shift } } : {}),
      meta: { source: 'disk', dirty: false, mtime: disk.mtime, encoding, eol },
      stamp: disk.stamp,
    };
  }

  /** The text on disk, or the editor's where it is the same, or where the editor alone knows the encoding. */
  private async textOf(file: GatedPath, disk: DiskFile): Promise<WholeText> {
    const decoded: Decoded = decodeText(await readAt(disk.handle, 0, disk.size));
    if (decoded.kind === 'binary') {
      throw new PorticoError(
        'RESOURCE_FAILED',
        `${this.gate.label(file)} has changed while it was read. Read it again.`,
      );
    }
    const { text, encoding } = decoded;
    const document = this.documentOf(file);
    if (document && (encoding.endsWith('(guessed)') || unified(document.text()) === unified(text))) {
      const buffer = textOfDocument(document);
      return { ...buffer, meta: { ...buffer.meta, mtime: disk.mtime } };
    }
    const meta: TextMeta = { source: 'disk', dirty: false, mtime: disk.mtime, encoding, eol: eolOf(text) };
    return { text, meta, stamp: disk.stamp };
  }

  private async withDisk<T>(file: GatedPath, read: (disk: DiskFile) => Promise<T>): Promise<T> {
    const handle = await this.gate.open(file);
    try {
      const { size, mtime, mtimeMs } = await handle.stat();
      return await read({ handle, size, mtime: mtime.toISOString(), stamp: `disk ${size} ${mtimeMs}` });
    } finally {
      await handle.close();
    }
  }

  private checkLength(file: GatedPath, bytes: number): void {
    if (bytes > LARGEST_TEXT) {
      const label = this.gate.label(file);
      const message = `${label} is ${sizeText(bytes)}, and at most ${sizeText(LARGEST_TEXT)} are given at once. read_file gives it in parts, by startLine and endLine.`;
      throw new PorticoError('RESOURCE_FAILED', message);
    }
  }
}

async function readAt(handle: FileHandle, start: number, length: number): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(bytes, filled, length - filled, start + filled);
    if (bytesRead === 0) {
      break;
    }
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
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
