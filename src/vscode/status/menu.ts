import { commands as editorCommands, QuickPickItemKind, type QuickPickItem, window } from 'vscode';
import type { Hub } from '../../core/hubTypes';
import { commands, views } from '../../ids';

type Item = QuickPickItem & { readonly command?: string };

/** The menu behind the status item: what waits first, then what one does most. */
export async function showMenu(hub: Hub): Promise<void> {
  const waiting = hub.approvals.waiting.peek().length;
  const items: Item[] = [
    ...(waiting > 0
      ? [
          {
            label: '$(question) Approve Waiting Call…',
            description: String(waiting),
            command: commands.approveWaitingCall,
          },
        ]
      : []),
    { label: '$(play) Run Tool…', command: commands.runTool },
    { label: '$(search) Find Tool…', command: commands.findTool },
    { label: 'Servers', kind: QuickPickItemKind.Separator },
    { label: '$(server) Show Servers', command: `${views.servers}.focus` },
    { label: '$(add) Add Server…', command: commands.addServer },
    { label: '$(debug-restart) Restart Server…', command: commands.restartServer },
    { label: '$(output) Show Server Log…', command: commands.showServerLog },
    { label: 'Portico', kind: QuickPickItemKind.Separator },
    { label: '$(history) Open Call Log', command: commands.openCallLog },
    { label: '$(settings-gear) Settings', command: commands.openSettings },
    { label: '$(book) Get Started', command: commands.openWalkthrough },
  ];
  const picked = await window.showQuickPick(items, { title: 'Portico', placeHolder: 'What to do' });
  if (picked?.command) {
    await editorCommands.executeCommand(picked.command);
  }
}
