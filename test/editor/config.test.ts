import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';

describe('config files in the editor', () => {
  it('gives the diagnostics and the hover of .mcp.json', async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const file = join(folder.uri.fsPath, 'nested.mcp', '.mcp.json');
    await vscode.workspace.fs.createDirectory(vscode.Uri.joinPath(folder.uri, 'nested.mcp'));
    await writeFile(file, '{ // comments are fine\n"mcpServers": {"a": {"comand": "x", "env": {}}},\n}');
    const document = await vscode.workspace.openTextDocument(file);
    assert.equal(document.languageId, 'jsonc');
    const found = await new Promise<readonly vscode.Diagnostic[]>((resolve) => {
      const look = (): void => {
        const ours = vscode.languages.getDiagnostics(document.uri).filter(({ source }) => source === 'Portico');
        if (ours.length > 0) {
          watch.dispose();
          resolve(ours);
        }
      };
      const watch = vscode.languages.onDidChangeDiagnostics(look);
      look();
    });
    assert.deepEqual(
      found.map(({ message, range }) => [message, document.getText(range)]),
      [['Server "a" in .mcp.json has the unknown key "comand": write "command".', '"comand"']],
    );
    const at = document.positionAt(document.getText().indexOf('"env"') + 1);
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      document.uri,
      at,
    );
    const texts = hovers.flatMap(({ contents }) =>
      contents.map((part) => (typeof part === 'string' ? part : part.value)),
    );
    assert.ok(
      texts.join('\n').includes('Environment variables, added to those that the editor has.'),
      texts.join('\n'),
    );
  });
});
