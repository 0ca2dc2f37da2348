import { commands as editorCommands, FileSystemError, type FileStat, FileType, Uri } from 'vscode';
import { systemClock } from '../../base/clock';
import { type Disposable, DisposableStore } from '../../base/disposable';
import type { ResourceArgument } from '../../ids';
import type { Services } from '../interop/contribution';
import { documentAddress } from '../interop/documentAddress';
import { documentName } from '../interop/documentName';
import { withLateProgress } from '../interop/lateProgress';
import { hasViewer } from '../interop/mimeTypes';
import { type ResourceAddress, toResourceAddress } from '../interop/resourceAddress';
import { inertLine } from '../interop/text';
import { type ReadOutcome, ResourceReader } from './resourceReader';
import { reasonText, type ServerState, type Shown, shownOf } from './resourceText';

/** How long what was read serves others, where no tab shows it and so no update would be heard of, in milliseconds. */
const freshMs = 10_000;

interface LoadedFile extends Shown {
  readonly at: number;
}

/** The documents of resources: what they show, and how they are opened. */
export class ResourceDocuments implements Disposable {
  private readonly store = new DisposableStore();
  private readonly reader: ResourceReader;

  constructor(private readonly services: Services) {
    this.reader = this.store.add(new ResourceReader(services.hub, services.resources, systemClock));
  }

  /** Reads a resource, starting its server and asking for consent where needed, and opens it or one of its parts. */
  async open(resource: ResourceArgument): Promise<void> {
    const title = `Opening ${inertLine(documentName(resource), 60)} of ${inertLine(resource.server, 60)}`;
    await withLateProgress(title, (signal) => this.reader.read(resource, { interactive: true, signal }));
    const uri = Uri.from(documentAddress(this.services, resource));
    await editorCommands.executeCommand('vscode.open', uri, { preview: true });
  }

  async stat(uri: Uri): Promise<FileStat> {
    const { at, bytes } = await this.load(uri);
    return { type: FileType.File, ctime: at, mtime: at, size: bytes.byteLength };
  }

  async readFile(uri: Uri): Promise<Uint8Array> {
    return (await this.load(uri)).bytes;
  }

  dispose(): void {
    this.store.dispose();
  }

  private async load(uri: Uri): Promise<LoadedFile> {
    const address = toResourceAddress(uri);
    if (!address) {
      throw FileSystemError.FileNotFound(uri);
    }
    const outcome = await this.outcome(address);
    const shown = shownOf(outcome, address);
    if (shown.problem === undefined) {
      return { ...shown, at: outcome.at };
    }
    if (hasViewer(uri.path)) {
      throw FileSystemError.Unavailable(shown.problem.message);
    }
    const text = reasonText(address, shown.problem, this.stateOf(address.server), uri.path.endsWith('.json'));
    return { bytes: Buffer.from(text), at: outcome.at };
  }

  private async outcome(address: ResourceAddress): Promise<ReadOutcome> {
    const kept = this.reader.kept(address);
    if (kept && Date.now() - kept.at < freshMs) {
      return kept;
    }
    return this.reader.outcome(address);
  }

  private stateOf(server: string): ServerState {
    return this.services.hub.server(server)?.status.peek().kind ?? 'unknown';
  }
}
