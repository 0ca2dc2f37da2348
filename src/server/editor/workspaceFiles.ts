import { stat } from 'node:fs/promises';
import { PorticoError } from '../../base/errors';
import { uriKey } from './addresses';
import type { EditorPorts, OpenDocument } from './editorTypes';
import { fileUri, readFileName, segmentsBelow } from './files/fileNames';
import type { GatedPath, PathGate } from './files/pathGate';
import type { CompletionValues } from './offerTypes';
import type { WorkspaceFile, WorkspaceFiles } from './workspaceTypes';

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

  constructor(
    private readonly ports: Pick<EditorPorts, 'documents' | 'workspace'>,
    private readonly gate: PathGate,
    private readonly search: FileSearch,
  ) {
    this.platform = gate.platform;
  }

  async find(address: string, workspace?: string): Promise<WorkspaceFile> {
    if (/^untitled:/i.test(address)) {
      const document = this.ports.documents.find(address);
      if (document === undefined) {
        throw new PorticoError('RESOURCE_UNKNOWN', `No document ${JSON.stringify(address)} is open in the editor.`);
      }
      return unsaved(document.uri);
    }
    return this.fileOf(await this.gate.file(address, workspace));
  }

  async findDirectory(address: string, workspace?: string): Promise<WorkspaceFile> {
    return this.fileOf(await this.gate.directory(address, workspace));
  }

  ofUri(uri: string): WorkspaceFile | undefined {
    if (uri.startsWith('untitled:')) {
      return unsaved(uri);
    }
    return /^file:/i.test(uri) ? this.named(uri) : undefined;
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

  async stat({ path }: WorkspaceFile): Promise<{ readonly mtimeMs: number; readonly size: number } | undefined> {
    if (path === undefined) {
      return undefined;
    }
    try {
      const { mtimeMs, size } = await stat(path);
      return { mtimeMs, size };
    } catch {
      // Not there, or not to be seen: both mean that nothing can be told of it.
      return undefined;
    }
  }

  async read(file: WorkspaceFile, maxBytes: number): Promise<Uint8Array> {
    const handle = await this.gate.open(await this.gate.file(file.path ?? file.uri));
    try {
      const { size } = await handle.stat();
      if (size > maxBytes) {
        throw new PorticoError('RESOURCE_FAILED', `${file.label} has more than ${maxBytes} bytes.`);
      }
      return await handle.readFile();
    } finally {
      await handle.close();
    }
  }

  async lines(file: WorkspaceFile): Promise<readonly string[] | undefined> {
    const document = this.documentOf(file);
    if (document !== undefined) {
      return document.text().split(/\r\n|\r|\n/);
    }
    try {
      return new TextDecoder().decode(await this.read(file, maxLineBytes)).split(/\r\n|\r|\n/);
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
    const [innermost] = this.ports.workspace.folders
      .peek()
      .flatMap((folder) => {
        const segments = segmentsBelow(folder.path, path, this.platform);
        return segments === undefined ? [] : [{ folder, segments }];
      })
      .sort((a, b) => a.segments.length - b.segments.length);
    if (innermost === undefined || this.gate.isSecret(innermost.segments)) {
      return undefined;
    }
    const { folder, segments } = innermost;
    return {
      uri: fileUri(path, this.platform),
      path,
      label: this.gate.label({ folder, segments, path }),
      folder,
    };
  }
}

function unsaved(uri: string): WorkspaceFile {
  return { uri, path: undefined, label: uri, folder: undefined };
}
