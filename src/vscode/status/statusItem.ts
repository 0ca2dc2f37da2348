import { effect } from '@preact/signals-core';
import { StatusBarAlignment, ThemeColor, window } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { commands } from '../../ids';
import { registerCommand } from '../interop/commands';
import type { Contribution } from '../interop/contribution';
import { statusText } from './statusText';

/** The status bar's item: hidden while there is nothing to tell, a warning while a call waits, and the way to the menu. */
export const statusContribution: Contribution = {
  name: 'status',
  register({ hub, logs, sharing }): Disposable {
    const store = new DisposableStore();
    store.add(registerCommand(commands.showMenu, logs, async () => (await import('./menu')).showMenu(hub, sharing)));
    const item = store.add(window.createStatusBarItem('portico.status', StatusBarAlignment.Right, 90));
    item.name = 'Portico';
    item.command = commands.showMenu;
    store.defer(
      effect(() => {
        const servers = hub.servers.value.map(({ status, lists }) => ({ status: status.value, lists: lists.value }));
        const text = statusText({
          servers,
          waitingCalls: hub.approvals.waiting.value.length,
          agents: sharing.state.value.kind === 'on' ? sharing.present.value.map(({ label }) => label) : undefined,
        });
        if (!text) {
          item.hide();
          return;
        }
        item.text = text.text;
        item.tooltip = text.tooltip;
        item.accessibilityInformation = { label: text.tooltip };
        item.backgroundColor = text.urgent ? new ThemeColor('statusBarItem.warningBackground') : undefined;
        item.show();
      }),
    );
    return store;
  },
};
