import type { ReadResourceResult, ResourceTemplateType } from '@modelcontextprotocol/server';
import type { Disposable } from '../../../base/disposable';
import { PorticoError } from '../../../base/errors';
import { KeyedListeners } from '../../../base/keyedListeners';
import { uriKey } from '../addresses';
import { decoded } from '../addressText';
import type { EditorParts } from '../editorParts';
import type { FileChange } from '../editorTypes';
import { fileChanges } from '../fileChanges';
import { jsonResource } from '../jsonResource';
import type { CompletionValues, ResourceKind } from '../offerTypes';
import type { WorkspaceFile } from '../workspaceTypes';
import { symbolsOf } from './symbolList';

const prefix = 'symbols://file/';
const maxSymbols = 2_000;

/** The symbols of a file as JSON. */
export class SymbolsKind implements ResourceKind {
  private readonly changes: KeyedListeners<readonly FileChange[]>;

  constructor(private readonly parts: EditorParts) {
    const { ports, files } = parts;
    this.changes = new KeyedListeners(fileChanges(ports), (changes) =>
      changes.map(({ uri }) => uriKey(uri, files.platform)),
    );
  }

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
    const { uri: file } = await this.fileOf(uri);
    return this.changes.add([uriKey(file, this.parts.files.platform)], changed);
  }

  private async fileOf(uri: string): Promise<WorkspaceFile> {
    if (!uri.toLowerCase().startsWith(prefix)) {
      throw new PorticoError('RESOURCE_UNKNOWN', `Use ${prefix}<path>.`);
    }
    return this.parts.files.find(decoded(uri.slice(prefix.length)));
  }
}
