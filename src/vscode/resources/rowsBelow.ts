import type { Resource } from '@modelcontextprotocol/client';
import type { ResourceNode, ResourceTree } from '../../core/catalog/catalogTypes';
import type { ServerView } from '../../core/hubTypes';
import type { KnownResources } from '../interop/knownResources';
import { type Node, nodeIds, ranges, type ResourceList } from './nodes';

/** A row as it was just made, with the catalog's row that it stands for. */
export interface Row {
  readonly node: Node;
  readonly source?: ResourceNode;
}

/** Gives the tree of a server's resources. */
export type TreeOf = (view: ServerView) => Promise<ResourceTree>;

/** Rows of a flat list that are shown in one. */
const rangeSize = 1_000;

/** The rows below a row; `flat` leaves the folders out. */
export async function rowsBelow(
  node: Node,
  flat: boolean,
  treeOf: TreeOf,
  known: Pick<KnownResources, 'of'>,
): Promise<readonly Row[]> {
  const { server, view } = node;
  const { resources, templates } = view.lists.peek();
  switch (node.kind) {
    case 'server': {
      const { items } = resources;
      const tree = await treeOf(view);
      const top = !flat
        ? tree.children().map((source) => toRow(source, view))
        : items.length > rangeSize
          ? ranges(items.length, rangeSize).map((range): Row => ({
              node: { kind: 'range', id: nodeIds.range(server, range.first), server, view, ...range },
            }))
          : flatRows(items, tree, view);
      const hasTemplates = templates.items.length + templates.setAside.length > 0;
      return [
        ...top,
        ...(hasTemplates
          ? [{ node: { kind: 'templates', id: nodeIds.templates(server), server, view } as const }]
          : []),
        ...setAsideRows(view, 'resources'),
      ];
    }
    case 'folder':
      return (await treeOf(view)).children(node.row).map((source) => toRow(source, view));
    case 'range':
      return flatRows(resources.items.slice(node.first, node.last + 1), await treeOf(view), view);
    case 'resource': {
      const { uri } = node;
      const parts = known.of(node)?.parts ?? [];
      return parts.length < 2
        ? []
        : parts.map((_, part) => ({
            node: { kind: 'part', id: nodeIds.part(server, uri, part), server, view, uri, part },
          }));
    }
    case 'templates':
      return [
        ...templates.items.map(({ uriTemplate }): Row => {
          const id = nodeIds.template(server, uriTemplate);
          return { node: { kind: 'template', id, server, view, template: uriTemplate } };
        }),
        ...setAsideRows(view, 'templates'),
      ];
    default:
      return [];
  }
}

function toRow(source: ResourceNode, view: ServerView): Row {
  const server = view.id;
  return source.kind === 'folder'
    ? { node: { kind: 'folder', id: nodeIds.folder(server, source.id), server, view, row: source.id }, source }
    : {
        node: {
          kind: 'resource',
          id: nodeIds.resource(server, source.resource.uri),
          server,
          view,
          uri: source.resource.uri,
        },
        source,
      };
}

function flatRows(items: readonly Resource[], tree: ResourceTree, view: ServerView): Row[] {
  return items.flatMap(({ uri }) => {
    const source = tree.nodeOf(uri);
    return source ? [toRow(source, view)] : [];
  });
}

function setAsideRows(view: ServerView, list: ResourceList): Row[] {
  return view.lists.peek()[list].setAside.map((_, index) => ({
    node: { kind: 'setAside', id: nodeIds.setAside(view.id, list, index), server: view.id, view, list, index },
  }));
}
