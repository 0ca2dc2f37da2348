import { realServer } from '../driver/servers';
import { Workbench } from '../driver/workbench';

/** Pictures of the chat: `@portico` asking before a call and answering after it, and native agent mode with a call of its own. */
export async function chatTour(folder: string): Promise<void> {
  const workbench = await Workbench.open({
    workspace: 'demo',
    files: { '.mcp.json': '{}', '.vscode/settings.json': '{}' },
    settings: { 'portico.servers': { files: realServer('filesystem', '${workspaceFolder}') } },
  });
  try {
    const { chat, model, tree } = workbench;
    await workbench.openPortico();
    await tree.openView('Activity');
    await tree.action('files, stopped', 'Start Server');
    await tree.row('files, ready').waitFor();

    await chat.open('ask');
    const answer = 'The ferry leaves from pier 4 at 07:20 and 18:45. On Sundays it does not leave before noon.';
    const read = { tool: 'files_read_text_file', args: { path: 'docs/harbour.md' } };
    await model.script({ say: 'I will read the page about the harbour.', call: [read] }, { say: answer });
    await chat.send('@portico When does the ferry leave?');
    await chat.confirmationButton('Deny').waitFor();
    await tree.row('read_text_file, waits for you').waitFor();
    await workbench.screenshot('portico-asks', folder);
    await chat.confirmationButton('Allow Once').click();
    await chat.waitForAnswer('before noon');
    await tree.row('read_text_file, done').waitFor();
    await workbench.screenshot('portico-answers', folder);

    await chat.clear();
    await chat.open('agent');
    await model.script({ call: [{ ...read, tool: 'mcp_files_read_text_file' }] }, { say: answer });
    await chat.send('When does the ferry leave?');
    await chat.confirmations.first().waitFor();
    await workbench.screenshot('agent-mode-asks', folder);
    await chat.confirmations.first().locator('.monaco-button', { hasText: 'Allow' }).first().click();
    await chat.waitForAnswer('before noon');
    await workbench.screenshot('agent-mode-answers', folder);
  } finally {
    await workbench.close();
  }
}
