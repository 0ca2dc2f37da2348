import { ThemeColor, ThemeIcon, TreeItem } from 'vscode';
import type { SetAside } from '../../core/connections/connectionTypes';
import { plainLine } from './text';

/** The row of an entry that cannot be used, with the reason. */
export function setAsideItem(entry: SetAside | undefined): TreeItem {
  const name = plainLine(entry?.name ?? '', 100) || '(no name)';
  const reason = plainLine(entry?.problem.message ?? '', 300);
  const item = new TreeItem(name);
  item.iconPath = new ThemeIcon('warning', new ThemeColor('list.warningForeground'));
  item.description = reason;
  item.contextValue = 'setAside';
  item.accessibilityInformation = { label: `${name}, cannot be used, ${reason}` };
  return item;
}
