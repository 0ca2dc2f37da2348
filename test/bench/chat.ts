import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fixtureServer, realServer } from '../ui/driver/servers';
import { timedMessage } from '../ui/driver/timedMessage';
import { Workbench } from '../ui/driver/workbench';
import { atMost, type Figure } from './measure';

/** A message that waits longer is not waited for, in milliseconds. */
const bound = 30_000;

/**
 * The first message after a hanging server and a good one came: when does the model get it? The chat has answered before,
 * as the first message of a window takes the editor seconds with no server at all.
 */
export async function chat(): Promise<Figure[]> {
  const workbench = await Workbench.open();
  try {
    const servers = { hanger: fixtureServer('mute'), files: realServer('filesystem', workbench.folder) };
    await workbench.openPortico();
    await workbench.chat.open();
    await timedMessage(workbench);
    const { ms: none } = await timedMessage(workbench);

    await workbench.execute('scriptedModel.updateSetting', 'portico.servers', servers);
    await workbench.tree.row('files, stopped').waitFor();
    const { ms: unseen } = await timedMessage(workbench);
    await workbench.tree.row('files, ready').waitFor();

    await workbench.execute('scriptedModel.updateSetting', 'portico.servers', {});
    mkdirSync(join(workbench.folder, '.vscode'));
    writeFileSync(join(workbench.folder, '.vscode', 'mcp.json'), JSON.stringify({ servers }));
    await workbench.reload();
    await workbench.openPortico();
    await workbench.tree.row('hanger, run by VS Code').waitFor();
    await workbench.chat.open();
    const { ms: editor } = await timedMessage(workbench, bound);
    return [
      atMost('chat', 'message without servers', none, 'ms'),
      atMost('chat', 'message with a hanging server: Portico', unseen, 'ms', 2_000),
      atMost(
        'chat',
        `message with a hanging server: the editor's client, ${bound} at most`,
        Math.min(editor, bound),
        'ms',
      ),
    ];
  } finally {
    await workbench.close();
  }
}
