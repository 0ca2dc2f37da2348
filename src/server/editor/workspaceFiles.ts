import { stat } from 'node:fs/promises';
import { PorticoError } from '../../base/errors';
import { quoted } from '../../base/quoted';
import { uriKey } from './addresses';
import type { EditorPorts, OpenDocument } from './editorTypes';
import { fileUri, readFileName, segmentsBelow } from './files/fileNames';
import { fileStamp } from './files/fileStamp';
import { LargeReads } from './files/largeReads';
import type { GatedPath, PathGate } from './files/pathGate';
import { searchedDirectory } from './files/searchedDirectory';
import { decodeText } from './files/textDecoding';
import type { CompletionValues } from './offerTypes';
import type { FileState, WorkspaceFile, WorkspaceFiles } from './workspaceTypes';

/** Larger files are not read for the sake of one line, in bytes. */
const maxLineBytes = 5 * 1024 * 1024;

/** What is known of the files by looking for them. */
export interface FileSearch {
  list(
    below: string | undefined,
    limit: number,
  ): Promise<{ readonly paths: readonly string[]; readonly total: number }>;
  complete(value: string, what: 'file' | 'directory'): Promise<CompletionValues>;
}

/** The files of the workspace by the gate, the editor's documents and the index. */
export class GatedWorkspaceFiles implements WorkspaceFiles {
  readonly platform: NodeJS.Platform;
  /** By file: on whose behalf it is read is not known here. */
  private readonly large = new LargeReads();
  private readonly unending = new AbortController().signal;

  constructor(
    private readonly ports: Pick<EditorPorts, 'documents'>,
    private readonly gate: PathGate,
    private readonly search: FileSearch,
  ) {
    this.platform = gate.platform;
  }

  async find(address: string, workspace?: string): Promise<WorkspaceFile> {
    if (isUntitled(address)) {
      const document = this.ports.documents.find(address);
      if (document === undefined) {
        throw new PorticoError('RESOURCE_UNKNOWN', `No document ${quoted(address)} is open in the editor.`);
      }
      const place = placeOf(document.uri);
      if (place !== undefined) {
        await this.gate.resolve(place);
      }
      return unsaved(document.uri);
    }
    return this.fileOf(await this.gate.file(address, workspace));
  }

  async findNew(address: string, workspace?: string): Promise<WorkspaceFile> {
    const place = await this.gate.resolve(address, workspace);
    const file = this.fileOf(place);
    if (place.kind !== undefined) {
      throw new PorticoError('ARGUMENTS_INVALID', `newFile: ${file.label} is there already. Give edits instead.`);
    }
    return file;
  }

  async findDirectory(address: string, workspace?: string): Promise<WorkspaceFile> {
    return this.fileOf(await searchedDirectory(this.gate, address, workspace));
  }

  async passing(uri: string): Promise<WorkspaceFile | undefined> {
    if (isUntitled(uri) && placeOf(uri) === undefined) {
      return unsaved(uri);
    }
    const place = placeOf(uri);
    const passed = place === undefined ? undefined : await this.gate.passing(place);
    return passed && (this.ofUri(uri) ?? this.fileOf(passed));
  }

  ofUri(uri: string): WorkspaceFile | undefined {
    const place = placeOf(uri);
    const named = place === undefined ? undefined : this.named(place);
    return isUntitled(uri) && (place === undefined || named !== undefined) ? unsaved(uri) : named;
  }

  isBelow(file: WorkspaceFile, directory: WorkspaceFile): boolean {
    const { path } = file;
    return (
      path !== undefined &&
      directory.path !== undefined &&
      segmentsBelow(directory.path, path, this.platform) !== undefined
    );
  }

  documentOf(file: WorkspaceFile): OpenDocument | undefined {
    const key = uriKey(file.uri, this.platform);
    return (
      this.ports.documents.find(file.uri) ??
      this.ports.documents.all().find(({ uri }) => uriKey(uri, this.platform) === key)
    );
  }

  async stat({ path }: WorkspaceFile): Promise<FileState | undefined> {
    if (path === undefined) {
      return undefined;
    }
    try {
      const found = await stat(path);
      return { size: found.size, changedMs: Math.max(found.mtimeMs, found.ctimeMs), stamp: fileStamp(found) };
    } catch {
      // Not there, or not to be seen: both mean that nothing can be told of it.
      return undefined;
    }
  }

  async read(file: WorkspaceFile, maxBytes: number): Promise<Uint8Array> {
    return this.withBytes(file, maxBytes, (bytes) => bytes);
  }

  async withText<T>(file: WorkspaceFile, use: (text: string) => T): Promise<T | undefined> {
    const document = this.documentOf(file);
    if (document !== undefined && (document.isDirty || file.path === undefined)) {
      return use(document.text());
    }
    try {
      return await this.withBytes(file, maxLineBytes, (bytes) => {
        const decoded = decodeText(bytes);
        return decoded.kind === 'text' ? use(decoded.text) : undefined;
      });
    } catch (error) {
      if (PorticoError.is(error)) {
        return undefined;
      }
      throw error;
    }
  }

  async list(
    below: WorkspaceFile | undefined,
    limit: number,
  ): Promise<{ readonly files: readonly WorkspaceFile[]; readonly total: number }> {
    const { paths, total } = await this.search.list(below?.path, limit);
    return { files: paths.flatMap((path) => this.ofUri(fileUri(path, this.platform)) ?? []), total };
  }

  complete(value: string, what: 'file' | 'directory'): Promise<CompletionValues> {
    return this.search.complete(value, what);
  }

  private async withBytes<T>(file: WorkspaceFile, maxBytes: number, use: (bytes: Uint8Array) => T): Promise<T> {
    const opened = await this.gate.open(await this.gate.file(file.path ?? file.uri));
    try {
      if (opened.size > maxBytes) {
        throw new PorticoError('RESOURCE_FAILED', `${file.label} has more than ${maxBytes} bytes.`);
      }
      return await this.large.run(opened.size, file.uri, this.unending, async () =>
        use(await opened.bytes(0, opened.size)),
      );
    } finally {
      opened.close();
    }
  }

  private fileOf(found: GatedPath): WorkspaceFile {
    return { uri: found.uri, path: found.path, label: this.gate.label(found), folder: found.folder };
  }

  private named(uri: string): WorkspaceFile | undefined {
    let path: string;
    try {
      const name = readFileName(uri, this.platform);
      if (name.kind !== 'absolute') {
        return undefined;
      }
      path = name.path;
    } catch (error) {
      if (PorticoError.is(error)) {
        return undefined;
      }
      throw error;
    }
    const named = this.gate.named(path);
    return (
      named && {
        uri: fileUri(path, this.platform),
        path,
        label: this.gate.label(named),
        folder: named.folder,
      }
    );
  }
}

function isUntitled(uri: string): boolean {
  return /^untitled:/i.test(uri);
}

/** The URI of the file that a URI of the editor names, or that a document never saved has its place at. */
function placeOf(uri: string): string | undefined {
  const place = uri.replace(/^untitled:(?:\/\/)?(?=\/)/i, 'file://');
  return /^file:/i.test(place) ? place : undefined;
}

function unsaved(uri: string): WorkspaceFile {
  return { uri, path: undefined, label: uri, folder: undefined };
}
