import { effect } from '@preact/signals-core';
import { FileSystemError, type FileStat, FileType, languages, type Uri, window } from 'vscode';
import { systemClock } from '../../base/clock';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { type DocumentArgument, type ResourceArgument, scheme } from '../../ids';
import type { Services } from '../interop/contribution';
import type { ResourceKey } from '../interop/knownResources';
import { hasViewer } from '../interop/mimeTypes';
import { type ResourceAddress, toResourceAddress } from '../interop/resourceAddress';
import { readInSight, ResourceOpener } from './openResource';
import { OpenResources } from './openResources';
import { ReasonLenses } from './reasonLenses';
import { type ReadOutcome, ResourceReader } from './resourceReader';
import { reasonText, type ServerState, shownOf } from './resourceText';
import { ResourceUpdates } from './resourceUpdates';
import { saveResource } from './saveResource';
import { tabUris } from './tabUris';

/** How long a read serves others where no tab shows what came, so that no update would be heard of, in milliseconds. */
const freshMs = { read: 10_000, failed: 1_000 };

interface OpenDocument {
  readonly uri: Uri;
  readonly address: ResourceAddress;
}

/** What the documents of resources show: what was read, kept up to date while a tab shows it, or why it is not there. */
export class ResourceDocuments implements Disposable {
  private readonly store = new DisposableStore();
  readonly reader: ResourceReader;
  private readonly open: OpenResources;
  private readonly opener: ResourceOpener;
  private documents: readonly OpenDocument[] = [];

  constructor(
    private readonly services: Services,
    /** Has the editor load documents anew. */
    private readonly announce: (uris: readonly Uri[]) => void,
  ) {
    const { hub, resources } = services;
    const reader = this.store.add(new ResourceReader(hub, resources, systemClock));
    this.reader = reader;
    this.opener = new ResourceOpener(services, reader);
    this.open = this.store.add(new OpenResources(hub, (key) => reader.forget(key)));
    this.store.add(new ResourceUpdates(hub, this.open, reader, resources, systemClock));
    const lenses = this.store.add(new ReasonLenses((address) => this.missing(address)));
    this.store.add(languages.registerCodeLensProvider({ scheme }, lenses));
    this.store.add(
      reader.onDidChange((key) => {
        this.changed(key);
        lenses.refresh();
      }),
    );
    this.store.defer(
      effect(() => {
        hub.servers.value.forEach(({ status }) => status.value.kind);
        lenses.refresh();
      }),
    );
    this.store.add(window.tabGroups.onDidChangeTabs(() => this.follow()));
    this.store.add(window.tabGroups.onDidChangeTabGroups(() => this.follow()));
    this.follow();
  }

  async stat(uri: Uri): Promise<FileStat> {
    const { at, bytes } = await this.load(uri);
    return { type: FileType.File, ctime: at, mtime: at, size: bytes.byteLength };
  }

  async readFile(uri: Uri): Promise<Uint8Array> {
    return (await this.load(uri)).bytes;
  }

  /** What was read of it, unless that may no longer be so. */
  kept(key: ResourceKey): ReadOutcome | undefined {
    const kept = this.reader.kept(key);
    const fresh = kept && Date.now() - kept.at < (kept.problem ? freshMs.failed : freshMs.read);
    return fresh || this.open.has(key) ? kept : undefined;
  }

  async show(resource: ResourceArgument): Promise<void> {
    await this.opener.open(resource);
  }

  async save(of: ResourceArgument | DocumentArgument | undefined): Promise<void> {
    await saveResource(async (resource) => {
      const kept = this.kept(resource);
      return kept && !kept.problem ? kept.contents : readInSight(this.reader, resource);
    }, of);
  }

  /** Reads the resource of a document anew, for the person who asked for it. */
  async reload(document: DocumentArgument): Promise<void> {
    const address = toResourceAddress(document);
    if (address) {
      await readInSight(this.reader, address);
    }
  }

  dispose(): void {
    this.store.dispose();
  }

  private async load(uri: Uri): Promise<{ readonly bytes: Uint8Array; readonly at: number }> {
    const address = toResourceAddress(uri);
    if (!address) {
      throw FileSystemError.FileNotFound(uri);
    }
    const outcome = this.kept(address) ?? (await this.reader.outcome(address));
    const { bytes, problem } = shownOf(outcome, address);
    if (problem === undefined) {
      return { bytes, at: outcome.at };
    }
    if (hasViewer(uri.path)) {
      throw FileSystemError.Unavailable(problem.message);
    }
    const text = reasonText(address, problem, this.stateOf(address.server), uri.path.endsWith('.json'));
    return { bytes: Buffer.from(text), at: outcome.at };
  }

  /** The state of its server, where the document shows a reason. */
  private missing(address: ResourceAddress): ServerState | undefined {
    const kept = this.reader.kept(address);
    return kept && shownOf(kept, address).problem ? this.stateOf(address.server) : undefined;
  }

  private stateOf(server: string): ServerState {
    return this.services.hub.server(server)?.status.peek().kind ?? 'unknown';
  }

  private changed({ server, uri }: ResourceKey): void {
    const uris = this.documents.filter(({ address }) => address.server === server && address.uri === uri);
    if (uris.length > 0) {
      this.announce(uris.map((one) => one.uri));
    }
  }

  private follow(): void {
    const uris = window.tabGroups.all.flatMap(({ tabs }) => tabs.flatMap(tabUris));
    this.documents = uris.flatMap((uri) => {
      const address = toResourceAddress(uri);
      return address ? [{ uri, address }] : [];
    });
    this.open.show(this.documents.map(({ address }) => address));
  }
}
