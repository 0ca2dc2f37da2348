import type { Node } from 'jsonc-parser';
import { nodeAt, propertiesOf, propertyOf } from './configText';
import type { SourceKind } from './configTypes';

/** An object of entries in a file. */
export interface Container {
  readonly node: Node;
  /** The array of input definitions beside it. */
  readonly inputs?: Node;
  /** Keys of a bare map that are no entries. */
  readonly skip?: readonly string[];
}

export interface Containers {
  readonly containers: readonly Container[];
  /** What is wrong with the file as a whole, as the rest of a sentence that begins with its name. */
  readonly wrong?: { readonly what: string; readonly node: Node };
}

/** Where each kind of file holds its entries; a CLI's file may be of any kind. */
export function findContainers(root: Node | undefined, kind: SourceKind): Containers {
  if (root === undefined) {
    return { containers: [] };
  }
  if (root.type !== 'object') {
    return { containers: [], wrong: { what: 'does not hold an object: write {"mcpServers": {}}', node: root } };
  }
  switch (kind) {
    case 'mcpJson':
      return only(root, 'mcpServers', 'servers');
    case 'vscodeMcpJson':
    case 'userMcpJson':
      return only(root, 'servers', 'mcpServers');
    case 'settings':
      return { containers: found(root, settingsPaths) };
    case 'file':
      return anyFormat(root);
  }
}

/** Plain settings files, and the settings block of a workspace file. */
const settingsPaths = [['portico.servers'], ['settings', 'portico.servers']];

function only(root: Node, name: string, mistaken: string): Containers {
  const property = propertyOf(root, name);
  const node = property?.children?.[1];
  if (node?.type === 'object') {
    return { containers: [container(root, node)] };
  }
  const other = propertyOf(root, mistaken);
  if (property !== undefined) {
    return { containers: [], wrong: { what: `has "${name}" that is not an object: write {}`, node: property } };
  }
  return other === undefined
    ? { containers: [] }
    : { containers: [], wrong: { what: `has "${mistaken}" where "${name}" is read: rename it`, node: other } };
}

function anyFormat(root: Node): Containers {
  const containers = found(root, [['mcpServers'], ['servers'], ['mcp', 'servers'], ['mcp.servers'], ...settingsPaths]);
  if (containers.length > 0) {
    return { containers };
  }
  const entries = propertiesOf(root).filter((property) => isEntry(property.children?.[1]));
  if (entries.length === 0) {
    return propertiesOf(root).length === 0
      ? { containers: [] }
      : { containers: [], wrong: { what: 'holds no servers: write them below "mcpServers"', node: root } };
  }
  return { containers: [{ ...container(root, root), skip: ['inputs', '$schema'] }] };
}

function found(root: Node, paths: readonly (readonly string[])[]): Container[] {
  return paths.flatMap((path) => {
    const node = nodeAt(root, path);
    // A bare map may hold a server that is called "servers".
    return node?.type === 'object' && !isEntry(node) ? [container(node.parent?.parent ?? root, node)] : [];
  });
}

function container(parent: Node, node: Node): Container {
  const inputs = nodeAt(parent, ['inputs']);
  return { node, ...(inputs?.type === 'array' ? { inputs } : {}) };
}

function isEntry(node: Node | undefined): boolean {
  return ['command', 'url', 'httpUrl', 'serverUrl'].some((key) => nodeAt(node, [key])?.type === 'string');
}
