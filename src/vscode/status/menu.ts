import { commands as editorCommands, QuickPickItemKind, type QuickPickItem, window } from 'vscode';
import type { Hub } from '../../core/hubTypes';
import { commands, views } from '../../ids';
import type { Sharing } from '../interop/sharing';
import { counted } from '../interop/text';

type Item = QuickPickItem & { readonly command?: string };

/** The menu behind the status item: what waits first, then what one does most. */
export async function showMenu(hub: Hub, sharing: Sharing): Promise<void> {
  const isShared = sharing.state.peek().kind === 'on';
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
    { label: 'Agents', kind: QuickPickItemKind.Separator },
    { label: '$(broadcast) Connect an Agent…', command: commands.connectAgent },
    ...(isShared || sharing.ledger.peek().length > 0
      ? [
          {
            label: '$(eye) What Agents Read',
            description: counted(sharing.ledger.peek().length, 'read'),
            command: commands.showAgentReads,
          },
        ]
      : []),
    ...(isShared ? [{ label: '$(circle-slash) Stop Sharing', command: commands.stopSharing }] : []),
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
