import { createHash } from 'node:crypto';
import type { ReadResourceResult, Resource, ResourceTemplateType } from '@modelcontextprotocol/server';
import type { Disposable } from '../../../base/disposable';
import { cancelled, PorticoError } from '../../../base/errors';
import { KeyedListeners } from '../../../base/keyedListeners';
import { mimeTypeOf } from '../../../base/mimeTypes';
import type { FileChange, WorkspaceFolderInfo } from '../editorTypes';
import { fileChanges } from '../fileChanges';
import type { CompletionValues, ResourceKind } from '../offerTypes';
import type { Asker } from './asker';
import { listDirectory } from './directoryListing';
import { metaKeys } from './fileMeta';
import { fileUri, pathKey, pathOfFileUri, pathsOf } from './fileNames';
import type { FileParts } from './fileParts';
import { MOST_VALUES } from './indexedFileSearch';
import type { FoundFile, GatedPath } from './pathGate';

const templates: readonly ResourceTemplateType[] = [
  {
    uriTemplate: 'file://{+folder}/{+path}',
    name: 'file',
    title: 'File',
    description: 'A file of the workspace, its unsaved text first; `folder` is the path of a workspace folder.',
  },
  {
    uriTemplate: 'file://{+folder}/{+directory}/',
    name: 'directory',
    title: 'Directory',
    description: 'What a directory of the workspace holds.',
    mimeType: 'application/json',
  },
];

/** The files and directories of the workspace, by their `file` URIs. */
export class FilesKind implements ResourceKind {
  private readonly changes: KeyedListeners<readonly FileChange[]>;

  constructor(private readonly parts: FileParts) {
    const { platform } = parts.gate;
    this.changes = new KeyedListeners(fileChanges(parts), (changes) => keysOf(changes, platform));
  }

  curated(): readonly Resource[] {
    return this.parts.workspace.folders.peek().map(({ name, path }) => ({
      uri: fileUri(path, this.parts.gate.platform),
      name,
      title: `Folder ${name}`,
      description: 'What the workspace folder holds.',
      mimeType: 'application/json',
    }));
  }

  async page(
    cursor: string | undefined,
  ): Promise<{ readonly resources: readonly Resource[]; readonly nextCursor?: string }> {
    const { index, gate } = this.parts;
    const { files, nextCursor } = await index.page(cursor);
    const resources = files.map(({ uri, folder, path }): Resource => {
      const mimeType = mimeTypeOf(path);
      const name = gate.label({ folder, segments: path.split('/') });
      return { uri, name, ...(mimeType === undefined ? {} : { mimeType }) };
    });
    return { resources, ...(nextCursor === undefined ? {} : { nextCursor }) };
  }

  templates(): readonly ResourceTemplateType[] {
    return templates;
  }

  /** Bare paths too: models write them where a URI belongs. */
  owns(uri: string): boolean {
    return /^file:/i.test(uri) || !/^[a-z][a-z0-9+.-]+:/i.test(uri);
  }

  read(uri: string, asker: Asker): Promise<ReadResourceResult> {
    return this.parts.reading.use(uri, undefined, (found) => {
      if (asker.signal.aborted) {
        throw cancelled('Reading the resource');
      }
      return found.place.kind === 'directory' ? this.readDirectory(found.place) : this.readFile(found, asker);
    });
  }

  async complete(
    template: string,
    variable: string,
    value: string,
    given: Readonly<Record<string, string>>,
  ): Promise<CompletionValues | undefined> {
    const known = templates.find(({ uriTemplate }) => uriTemplate === template);
    if (!known) {
      return undefined;
    }
    const folders = this.parts.workspace.folders.peek();
    if (variable === 'folder') {
      const values = folders
        .map((each) => pathInUri(each))
        .filter((path) => path.toLowerCase().includes(value.toLowerCase()));
      return { values: values.slice(0, MOST_VALUES), total: values.length, hasMore: values.length > MOST_VALUES };
    }
    if (variable !== 'path' && variable !== 'directory') {
      return undefined;
    }
    const chosen = given['folder'];
    const folder = folders.find((each) => pathInUri(each) === chosen);
    if (chosen !== undefined && chosen !== '' && !folder) {
      return { values: [], total: 0, hasMore: false };
    }
    const { found, total } = await this.parts.index.fuzzy(value, {
      kind: variable === 'path' ? 'file' : 'directory',
      limit: MOST_VALUES,
      ...(folder ? { folder } : {}),
    });
    return { values: [...new Set(found.map(({ path }) => path))], total, hasMore: total > found.length };
  }

  async watch(uri: string, changed: () => void): Promise<Disposable> {
    const { reading, gate } = this.parts;
    const { kind, path, realPath } = await reading.resolve(uri);
    const keys = [path, realPath].map((each) => pathKey(each, gate.platform));
    return this.changes.add(kind === 'directory' ? keys.map(entriesOf) : keys, changed);
  }

  /** By the content; of what is too large to be read at once, by what the disk says of it. */
  async fingerprint(uri: string, asker: Asker): Promise<string> {
    const { reading } = this.parts;
    try {
      const { contents } = await this.read(uri, asker);
      const [content] = contents;
      const value = content && ('text' in content ? content.text : content.blob);
      return createHash('sha256')
        .update(value ?? '')
        .digest('base64');
    } catch (error) {
      if (!PorticoError.is(error, 'RESOURCE_FAILED')) {
        throw error;
      }
      return reading.use(uri, undefined, (found) => reading.stamp(found, asker));
    }
  }

  private async readFile(found: FoundFile, asker: Asker): Promise<ReadResourceResult> {
    const { gate, reading } = this.parts;
    const { uri } = found.place;
    const content = await reading.whole(found, asker);
    const { mimeType } = content;
    const path = gate.label(found.place);
    const contents =
      content.kind === 'text'
        ? { uri, mimeType, text: content.text, _meta: metaKeys({ path, ...content.meta, truncated: false }) }
        : { uri, mimeType, blob: content.base64, _meta: metaKeys({ path, source: 'disk', mtime: content.mtime }) };
    return { contents: [contents] };
  }

  private async readDirectory(directory: GatedPath): Promise<ReadResourceResult> {
    const { entries, total } = await listDirectory(this.parts.gate, directory);
    const value = { directory: this.parts.gate.label(directory), total, entries };
    const text = JSON.stringify(value, null, 2);
    const _meta = metaKeys({ source: 'disk', truncated: entries.length < total });
    return { contents: [{ uri: directory.uri, mimeType: 'application/json', text, _meta }] };
  }
}

/** A file hears of all that becomes of it, a directory of what comes and goes in it. */
function* keysOf(changes: readonly FileChange[], platform: NodeJS.Platform): Iterable<string> {
  for (const { uri, kind } of changes) {
    const path = pathOfFileUri(uri, platform);
    if (path !== undefined) {
      yield pathKey(path, platform);
      if (kind !== 'changed') {
        yield entriesOf(pathKey(pathsOf(platform).dirname(path), platform));
      }
    }
  }
}

/** No path has such a key. */
function entriesOf(directory: string): string {
  return `${directory}/`;
}

/** A folder as it stands in a file URI: `/home/me/app`, `/c:/app`. */
function pathInUri({ path }: WorkspaceFolderInfo): string {
  const slashed = path.replaceAll('\\', '/');
  return slashed.startsWith('/') ? slashed : `/${slashed}`;
}
