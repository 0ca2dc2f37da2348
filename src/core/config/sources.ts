import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import type { ConfigSource, SettingsLayer, SourceKind, WorkspaceFolder } from './configTypes';

/** One source to read, and the settings value where it is one. Settings come first, then files, each by their scope. */
export interface PlannedSource {
  readonly source: ConfigSource;
  readonly layer?: SettingsLayer;
}

export interface SourceInputs {
  readonly folders: readonly WorkspaceFolder[];
  readonly settings: readonly SettingsLayer[];
  readonly kinds: readonly SourceKind[];
  readonly userMcpJson?: string;
  readonly files?: readonly string[];
}

/**
 * The sources to read, in config order. An id is made of what the source is and never of what else there is,
 * but for the folder's name, which is left out where there is one folder only.
 */
export function planSources(inputs: SourceInputs): readonly PlannedSource[] {
  const names = folderNames(inputs.folders);
  const prefix = (folder: WorkspaceFolder): string => {
    const name = names.get(folder.uri) ?? folder.name;
    return inputs.folders.length > 1 ? `${name}/` : '';
  };
  const wants = (kind: SourceKind): boolean => inputs.kinds.includes(kind);
  const planned: PlannedSource[] = [];
  if (wants('settings')) {
    for (const scope of ['folder', 'workspace', 'user'] as const) {
      for (const layer of inputs.settings.filter((candidate) => candidate.scope === scope)) {
        planned.push({ source: settingsSource(layer, layer.folder && prefix(layer.folder)), layer });
      }
    }
  }
  const inFolders = (kind: 'mcpJson' | 'vscodeMcpJson', name: string): void => {
    for (const folder of wants(kind) ? inputs.folders : []) {
      if (folder.path !== undefined) {
        const id = `${prefix(folder)}${name}`;
        const file = join(folder.path, ...name.split('/'));
        planned.push({ source: { id, kind, scope: 'folder', label: id, file, folder } });
      }
    }
  };
  inFolders('mcpJson', '.mcp.json');
  inFolders('vscodeMcpJson', '.vscode/mcp.json');
  if (wants('userMcpJson') && inputs.userMcpJson !== undefined) {
    const source = { id: 'user', kind: 'userMcpJson', scope: 'user', label: 'user mcp.json' } as const;
    planned.push({ source: { ...source, file: inputs.userMcpJson } });
  }
  const files = [...new Set(inputs.files)];
  for (const file of files) {
    const name = basename(file);
    const id = files.filter((other) => basename(other) === name).length > 1 ? file : name;
    planned.push({ source: { id, kind: 'file', scope: 'user', label: id, file } });
  }
  return planned;
}

function settingsSource(layer: SettingsLayer, prefix = ''): ConfigSource {
  const label = layer.scope === 'folder' ? `${prefix}.vscode/settings.json` : `${layer.scope} settings`;
  return {
    id: layer.scope === 'folder' ? label : `settings:${layer.scope}`,
    kind: 'settings',
    scope: layer.scope,
    label,
    ...(layer.file === undefined ? {} : { file: layer.file }),
    ...(layer.folder === undefined ? {} : { folder: layer.folder }),
  };
}

/** Names by URI; two folders of one name are told apart by a piece of their URI's digest. */
function folderNames(folders: readonly WorkspaceFolder[]): ReadonlyMap<string, string> {
  return new Map(
    folders.map(({ name, uri }) => {
      const twin = folders.some((other) => other.name === name && other.uri !== uri);
      return [uri, twin ? `${name}~${createHash('sha256').update(uri).digest('hex').slice(0, 4)}` : name];
    }),
  );
}
