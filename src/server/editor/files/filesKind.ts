import { createHash } from 'node:crypto';
import type { ReadResourceResult, Resource, ResourceTemplateType } from '@modelcontextprotocol/server';
import { type Disposable, DisposableStore } from '../../../base/disposable';
import { PorticoError } from '../../../base/errors';
import { mimeTypeOf } from '../../../base/mimeTypes';
import type { WorkspaceFolderInfo } from '../editorTypes';
import type { CompletionValues, ResourceKind } from '../offerTypes';
import { metaKeys } from './fileMeta';
import { fileUri, pathOfFileUri, pathsOf, segmentsBelow } from './fileNames';
import type { FileParts } from './fileParts';
import { MOST_VALUES } from './indexedFileSearch';
import type { GatedPath } from './pathGate';

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
  constructor(private readonly parts: FileParts) {}

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
      const name = gate.label({ folder, path, segments: path.split('/') });
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

  async read(uri: string): Promise<ReadResourceResult> {
    const { gate, reading } = this.parts;
    const file = await reading.resolve(uri);
    if (file.kind === 'directory') {
      return this.readDirectory(file);
    }
    const content = await reading.whole(file);
    const { mimeType } = content;
    const path = gate.label(file);
    return content.kind === 'text'
      ? {
          contents: [
            {
              uri: file.uri,
              mimeType,
              text: content.text,
              _meta: metaKeys({ path, ...content.meta, truncated: false }),
            },
          ],
        }
      : {
          contents: [
            {
              uri: file.uri,
              mimeType,
              blob: content.base64,
              _meta: metaKeys({ path, source: 'disk', mtime: content.mtime }),
            },
          ],
        };
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
    const { workspace, documents, reading, gate } = this.parts;
    const file = await reading.resolve(uri);
    const { dirname } = pathsOf(gate.platform);
    const isOf = (other: string): boolean => {
      const path = pathOfFileUri(other, gate.platform);
      const told = path === undefined || file.kind !== 'directory' ? path : dirname(path);
      return told !== undefined && [file.path, file.realPath].some((each) => isSame(each, told, gate.platform));
    };
    const store = new DisposableStore();
    store.add(
      workspace.onDidChangeFiles((changes) => {
        if (changes.some((change) => (file.kind !== 'directory' || change.kind !== 'changed') && isOf(change.uri))) {
          changed();
        }
      }),
    );
    store.add(
      documents.onDidChange((document) => {
        if (file.kind !== 'directory' && isOf(document)) {
          changed();
        }
      }),
    );
    return store;
  }

  /** By the content; of what is too large to be read at once, by what the disk says of it. */
  async fingerprint(uri: string): Promise<string> {
    const { reading } = this.parts;
    try {
      const { contents } = await this.read(uri);
      const [content] = contents;
      const value = content && ('text' in content ? content.text : content.blob);
      return createHash('sha256')
        .update(value ?? '')
        .digest('base64');
    } catch (error) {
      if (!PorticoError.is(error, 'RESOURCE_FAILED')) {
        throw error;
      }
      return reading.stamp(await reading.resolve(uri));
    }
  }

  private async readDirectory(directory: GatedPath): Promise<ReadResourceResult> {
    const { entries, total } = await this.parts.reading.directory(directory);
    const value = { directory: this.parts.gate.label(directory), total, entries };
    const text = JSON.stringify(value, null, 2);
    const _meta = metaKeys({ source: 'disk', truncated: entries.length < total });
    return { contents: [{ uri: directory.uri, mimeType: 'application/json', text, _meta }] };
  }
}

function isSame(path: string, other: string, platform: NodeJS.Platform): boolean {
  return segmentsBelow(path, other, platform)?.length === 0;
}

/** A folder as it stands in a file URI: `/home/me/app`, `/c:/app`. */
function pathInUri({ path }: WorkspaceFolderInfo): string {
  const slashed = path.replaceAll('\\', '/');
  return slashed.startsWith('/') ? slashed : `/${slashed}`;
}
