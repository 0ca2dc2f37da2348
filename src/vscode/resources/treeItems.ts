import { ThemeIcon, TreeItem, TreeItemCollapsibleState, Uri } from 'vscode';
import { assertNever } from '../../base/errors';
import type { ResourceNode } from '../../core/catalog/catalogTypes';
import { commands } from '../../ids';
import type { Services } from '../interop/contribution';
import { documentAddress } from '../interop/documentAddress';
import { setAsideItem } from '../interop/setAsideItem';
import { counted, grouped, plainLine } from '../interop/text';
import type { Node } from './nodes';
import { partTexts, resourceTexts, serverTexts, templateLabel, templateTexts } from './rowTexts';

/** What a row shows beside what its node and the server's lists know. */
export interface Look {
  /** The row of the catalog's tree that a folder or resource stands for. */
  readonly source?: ResourceNode;
  readonly flat: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly services: Pick<Services, 'hub' | 'resources'>;
}

/** An update is worth saying for this time, in milliseconds. */
export const updateShownMs = 60 * 60_000;

/** The row of a node, as it is now. */
export function treeItem(node: Node, look: Look): TreeItem {
  const item = build(node, look);
  item.id = node.id;
  return item;
}

function build(node: Node, { source, flat, now, services }: Look): TreeItem {
  switch (node.kind) {
    case 'server': {
      const { definition, status, lists } = node.view;
      const updated = services.resources.updatedSince(node.server, now - updateShownMs);
      const texts = serverTexts(definition.key, status.peek(), lists.peek(), updated);
      const item = new TreeItem(plainLine(definition.key, 80), TreeItemCollapsibleState.Collapsed);
      item.iconPath = new ThemeIcon('server');
      return described(item, 'server', texts);
    }
    case 'folder': {
      const folder = source?.kind === 'folder' ? source : undefined;
      const label = plainLine(folder?.label ?? '', 200);
      const item = new TreeItem(label, TreeItemCollapsibleState.Collapsed);
      item.iconPath = folder?.role === 'origin' ? new ThemeIcon('globe') : ThemeIcon.Folder;
      return described(item, 'folder', { spoken: `${label}, ${counted(folder?.count ?? 0, 'resource')}` });
    }
    case 'range': {
      const label = `${grouped(node.first + 1)}–${grouped(node.last + 1)}`;
      const item = new TreeItem(label, TreeItemCollapsibleState.Collapsed);
      item.iconPath = ThemeIcon.Folder;
      return described(item, 'folder', { spoken: `resources ${node.first + 1} to ${node.last + 1}` });
    }
    case 'resource': {
      const { server, uri } = node;
      const label = plainLine(source?.label ?? '', 100) || plainLine(uri, 100);
      const resource = source?.kind === 'resource' ? source.resource : { name: '', uri };
      const { parts = [], updatedAt = 0 } = services.resources.of(node) ?? {};
      const item = new TreeItem(
        label,
        parts.length > 1 ? TreeItemCollapsibleState.Collapsed : TreeItemCollapsibleState.None,
      );
      item.iconPath = ThemeIcon.File;
      item.resourceUri = Uri.from(documentAddress(services, { server, uri }, resource));
      item.command = openCommand({ server, uri });
      const texts = resourceTexts(resource, {
        key: node.view.definition.key,
        label,
        parts,
        ...(now - updatedAt < updateShownMs ? { updatedAt } : {}),
        now,
        flat,
      });
      return described(item, 'resource', texts);
    }
    case 'part': {
      const { server, uri, part } = node;
      const parts = services.resources.of(node)?.parts ?? [];
      const content = parts[part] ?? { uri, text: false, size: 0 };
      const texts = partTexts(content, { uri, part, of: parts.length, key: node.view.definition.key });
      const item = new TreeItem(texts.label);
      item.iconPath = ThemeIcon.File;
      item.resourceUri = Uri.from(documentAddress(services, node));
      item.command = openCommand({ server, uri, part });
      return described(item, 'part', texts);
    }
    case 'templates': {
      const count = node.view.lists.peek().templates.items.length;
      const item = new TreeItem('Templates', TreeItemCollapsibleState.Collapsed);
      item.iconPath = new ThemeIcon('symbol-parameter');
      return described(item, 'templates', { description: grouped(count), spoken: counted(count, 'template') });
    }
    case 'template': {
      const templates = node.view.lists.peek().templates.items;
      const template = templates.find(({ uriTemplate }) => uriTemplate === node.template);
      const shown = template ?? { name: node.template, uriTemplate: node.template };
      const label = templateLabel(shown);
      const item = new TreeItem(label);
      item.iconPath = new ThemeIcon('symbol-parameter');
      item.command = {
        command: commands.openTemplate,
        title: 'Open…',
        arguments: [{ server: node.server, template: node.template }],
      };
      return described(item, 'template', templateTexts(shown, label, node.view.definition.key));
    }
    case 'setAside':
      return setAsideItem(node.view.lists.peek()[node.list].setAside[node.index]);
    default:
      return assertNever(node);
  }
}

function described(
  item: TreeItem,
  contextValue: string,
  { description = '', spoken }: { readonly description?: string; readonly spoken: string },
): TreeItem {
  item.contextValue = contextValue;
  item.description = description;
  item.accessibilityInformation = { label: spoken };
  return item;
}

function openCommand(resource: { readonly server: string; readonly uri: string; readonly part?: number }) {
  return { command: commands.openResource, title: 'Open', arguments: [resource] };
}
