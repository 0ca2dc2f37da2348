import type { ReadResourceResult, ResourceTemplateType } from '@modelcontextprotocol/server';
import { type Disposable, DisposableStore } from '../../../base/disposable';
import { PorticoError } from '../../../base/errors';
import { uriKey } from '../addresses';
import { decoded } from '../addressText';
import type { EditorParts } from '../editorParts';
import { jsonResource } from '../jsonResource';
import type { CompletionValues, ResourceKind } from '../offerTypes';
import type { WorkspaceFile } from '../workspaceTypes';
import { symbolsOf } from './symbolList';

const prefix = 'symbols://file/';
const maxSymbols = 2_000;

/** The symbols of a file as JSON. */
export class SymbolsKind implements ResourceKind {
  constructor(private readonly parts: EditorParts) {}

  curated(): readonly [] {
    return [];
  }

  templates(): readonly ResourceTemplateType[] {
    return [
      {
        uriTemplate: `${prefix}{+path}`,
        name: 'file-symbols',
        title: 'Symbols of a file',
        description: 'Functions, classes, variables with their places.',
        mimeType: 'application/json',
      },
    ];
  }

  owns(uri: string): boolean {
    return /^symbols:\/\//i.test(uri);
  }

  async read(uri: string): Promise<ReadResourceResult> {
    const file = await this.fileOf(uri);
    const symbols = await symbolsOf(this.parts, file);
    return jsonResource(uri, { file: file.label, total: symbols.length, symbols: symbols.slice(0, maxSymbols) });
  }

  async complete(_template: string, variable: string, value: string): Promise<CompletionValues | undefined> {
    return variable === 'path' ? this.parts.files.complete(value, 'file') : undefined;
  }

  async watch(uri: string, changed: () => void): Promise<Disposable> {
    const { platform } = this.parts.files;
    const key = uriKey((await this.fileOf(uri)).uri, platform);
    const { documents, workspace } = this.parts.ports;
    const store = new DisposableStore();
    const look = (other: string): void => {
      if (uriKey(other, platform) === key) {
        changed();
      }
    };
    store.add(documents.onDidChange(look));
    store.add(workspace.onDidChangeFiles((changes) => changes.forEach((change) => look(change.uri))));
    return store;
  }

  private async fileOf(uri: string): Promise<WorkspaceFile> {
    if (!uri.toLowerCase().startsWith(prefix)) {
      throw new PorticoError('RESOURCE_UNKNOWN', `Use ${prefix}<path>.`);
    }
    return this.parts.files.find(decoded(uri.slice(prefix.length)));
  }
}
