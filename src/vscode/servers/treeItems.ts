import type { Tool } from '@modelcontextprotocol/client';
import { ThemeColor, ThemeIcon, TreeItem, TreeItemCollapsibleState } from 'vscode';
import { assertNever } from '../../base/errors';
import { commands } from '../../ids';
import { setAsideItem } from '../interop/setAsideItem';
import { counted, grouped, plainLine } from '../interop/text';
import { trustName } from '../interop/trustName';
import { hintText } from './rowTexts';
import type { Node } from './nodes';
import { serverRow } from './serverRow';
import { toolEffect, toolLabel } from './toolRow';

export interface ItemOptions {
  readonly trustedServers: readonly string[];
  toolOf(server: string, name: string): Tool | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** What `taskItems` and `problemItem` do not draw. */
type SettledNode = Exclude<Node, { kind: 'tasks' | 'task' | 'problem' }>;

/** The row of a node, as it is now. */
export function treeItem(node: SettledNode, options: ItemOptions): TreeItem {
  const item = build(node, options);
  item.id = node.id;
  return item;
}

function build(node: SettledNode, { trustedServers, toolOf, now }: ItemOptions): TreeItem {
  switch (node.kind) {
    case 'server': {
      const { view } = node;
      const { definition } = view;
      const lists = view.lists.peek();
      const row = serverRow({ definition, status: view.status.peek(), lists, now });
      const item = new TreeItem(plainLine(definition.key, 80), TreeItemCollapsibleState.Collapsed);
      item.iconPath = new ThemeIcon(row.icon, row.color === undefined ? undefined : new ThemeColor(row.color));
      item.description = row.description;
      item.contextValue = row.contextValue;
      item.accessibilityInformation = { label: `${plainLine(definition.key, 80)}, ${row.spoken}` };
      return item;
    }
    case 'restricted': {
      const item = new TreeItem('Manage Workspace Trust');
      item.iconPath = new ThemeIcon('shield');
      item.command = { command: 'workbench.trust.manage', title: 'Manage Workspace Trust' };
      item.contextValue = 'restricted';
      return item;
    }
    case 'hint': {
      const { definition, status } = node.view;
      const item = new TreeItem('');
      item.description = hintText(definition, status.peek());
      item.contextValue = 'hint';
      item.accessibilityInformation = { label: item.description };
      return item;
    }
    case 'group': {
      const list = node.view.lists.peek()[node.list];
      const label = node.list === 'tools' ? 'Tools' : 'Prompts';
      const item = new TreeItem(label, TreeItemCollapsibleState.Collapsed);
      const cached = list.from === 'cache' && node.view.status.peek().kind !== 'ready';
      item.description = `${grouped(list.items.length)}${cached ? ' · from its last start' : ''}`;
      item.contextValue = `group.${node.list}`;
      item.accessibilityInformation = {
        label: `${counted(list.items.length, node.list === 'tools' ? 'tool' : 'prompt')}${cached ? ', from its last start' : ''}`,
      };
      return item;
    }
    case 'tool': {
      const tool = toolOf(node.server, node.tool);
      const label = tool ? toolLabel(tool) : plainLine(node.tool);
      const effect = tool && toolEffect(tool, trustedServers.includes(trustName(node.view.definition)));
      const item = new TreeItem(label);
      item.iconPath = new ThemeIcon('tools');
      item.description = effect ?? '';
      item.contextValue = 'tool';
      item.accessibilityInformation = { label: effect ? `${label}, tool, ${effect}` : `${label}, tool` };
      item.command = {
        command: commands.runTool,
        title: 'Run Tool…',
        arguments: [{ server: node.server, tool: node.tool }],
      };
      return item;
    }
    case 'prompt': {
      const prompt = node.view.lists.peek().prompts.items.find(({ name }) => name === node.prompt);
      const label = plainLine(prompt?.title ?? '', 100) || plainLine(node.prompt, 100);
      const item = new TreeItem(label);
      item.iconPath = new ThemeIcon('comment');
      item.contextValue = 'prompt';
      item.accessibilityInformation = { label: `${label}, prompt` };
      item.command = {
        command: commands.runPrompt,
        title: 'Run Prompt…',
        arguments: [{ server: node.server, prompt: node.prompt }],
      };
      return item;
    }
    case 'setAside':
      return setAsideItem(node.view.lists.peek()[node.list].setAside[node.index]);
    default:
      return assertNever(node);
  }
}
