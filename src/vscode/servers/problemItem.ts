import { ThemeColor, ThemeIcon, TreeItem } from 'vscode';
import { commands } from '../../ids';
import { plainLine } from '../interop/text';
import type { Node } from './nodes';
import { problemInShort, problemText } from './problemTexts';

/** The row of a broken entry or file; opening it goes to the place that is at fault. */
export function problemItem(node: Extract<Node, { kind: 'problem' }>): TreeItem {
  const { key, source, place } = node.problem;
  const message = problemText(node.problem);
  const item = new TreeItem(plainLine(key ?? source.label, 80));
  item.id = node.id;
  item.iconPath = new ThemeIcon('warning', new ThemeColor('list.warningForeground'));
  item.description = problemInShort(message);
  item.contextValue = 'problem';
  item.command = {
    command: commands.editServerConfiguration,
    title: 'Edit Server Configuration…',
    arguments: [node],
  };
  const line = place ? ` line ${place.line + 1}` : '';
  item.accessibilityInformation = {
    label: `configuration problem in ${plainLine(source.label, 80)}${line}, ${message}`,
  };
  return item;
}
