import { basename } from 'node:path';
import { commands, TabInputTextDiff, window } from 'vscode';
import type { VirtualDocuments } from '../interop/virtualDocuments';
import type { AgentChange } from './agentFile';

let count = 0;

/** Shows a change beside what it changes, and gives what closes it. The keyboard stays where it is. */
export async function showChange(
  documents: VirtualDocuments,
  { file, before, after }: AgentChange,
  title: string,
): Promise<() => Promise<void>> {
  const number = ++count;
  const put = (side: string, text: string) => documents.put(`/agents/${number}/${side}/${basename(file)}`, text);
  const [original, modified] = [put('before', before ?? ''), put('after', after)];
  await commands.executeCommand('vscode.diff', original, modified, title, { preview: false, preserveFocus: true });
  return async () => {
    const tabs = window.tabGroups.all.flatMap((group) => group.tabs);
    const own = tabs.filter(
      ({ input }) => input instanceof TabInputTextDiff && input.modified.toString() === modified.toString(),
    );
    await window.tabGroups.close(own, true);
    // Tokens stand in an agent's configuration: nothing of it is kept.
    put('before', '');
    put('after', '');
  };
}
