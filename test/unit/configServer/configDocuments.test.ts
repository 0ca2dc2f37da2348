import assert from 'node:assert/strict';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { diagnose, hover } from '../../../src/configServer/configDocuments';
import { sourceOf } from '../../../src/configServer/configSource';

async function check(uri: string, text: string, userMcpJson?: string) {
  const document = TextDocument.create(uri, 'jsonc', 1, text);
  const source = sourceOf(uri, userMcpJson)!;
  const diagnostics = await diagnose(document, source);
  return {
    messages: diagnostics.map(({ message }) => message),
    words: diagnostics.map(({ range }) => document.getText(range)),
    hoverAt: async (word: string) => {
      const found = await hover(document, source, document.positionAt(text.indexOf(word) + 1));
      return JSON.stringify(found?.contents ?? null);
    },
  };
}

describe('configDocuments', () => {
  it('tells which files are config files', () => {
    const kindOf = (uri: string) => sourceOf(uri, '/user/mcp.json')?.kind;
    assert.deepEqual(
      [
        'file:///w/.mcp.json',
        'file:///w/.vscode/mcp.json',
        'file:///user/mcp.json',
        'file:///w/.vscode/settings.json',
        'file:///w/x.code-workspace',
        'file:///w/other/mcp.json',
        'untitled:.mcp.json',
        'vscode-userdata:/user/mcp.json',
      ].map(kindOf),
      ['mcpJson', 'vscodeMcpJson', 'userMcpJson', 'settings', 'settings', undefined, undefined, 'userMcpJson'],
    );
  });

  it('says in the config reader’s words what is wrong, once', async () => {
    const text = '{ // c\n"mcpServers": {\n"a": {"comand": "x"},\n"b": {"command": "x", "args": "y"},\n},}';
    const { messages, words } = await check('file:///w/.mcp.json', text);
    assert.deepEqual(messages, [
      'Server "a" in .mcp.json has the unknown key "comand": write "command".',
      'Server "b" in .mcp.json has "args" that are not a list: write ["…", "…"].',
    ]);
    assert.deepEqual(words, ['"comand"', '"y"']);
    const broken = await check('file:///w/.mcp.json', '{"mcpServers": {"a": {"command": "x" "args": []}}}');
    assert.deepEqual(broken.messages, ['.mcp.json cannot be read as JSON: a comma is missing (line 1). Fix it there.']);
  });

  it('adds what only the schema knows', async () => {
    const text = '{"inputs": [{"id": 5, "type": "promptString"}],\n"servers": {"a": {"command": "x"}}}';
    const { messages, words } = await check('file:///w/.vscode/mcp.json', text);
    assert.deepEqual(messages, ['Incorrect type. Expected "string".']);
    assert.deepEqual(words, ['5']);
  });

  it('leaves the rest of a settings file to the editor', async () => {
    const text = '{"editor.fontSize": "x" "a": 1,\n"portico.servers": {"a": {"command": "x"},\n"b": {"url": 5}}}';
    const { messages } = await check('file:///w/.vscode/settings.json', text);
    assert.deepEqual(messages, ['Server "b" in workspace settings has no "url": write the server\'s address.']);
  });

  it('explains keys where the pointer rests', async () => {
    const file = await check('file:///w/.mcp.json', '{"mcpServers": {"a": {"command": "x", "envFile": ".env"}}}');
    assert.match(await file.hoverAt('"envFile"'), /A file of `NAME=value` lines/);
    const settings = await check('file:///w/.vscode/settings.json', '{"portico.servers": {"a": {"command": "x"}}}');
    assert.match(await settings.hoverAt('"command"'), /run as it stands, without a shell/);
  });

  it('fetches no schema that a file names', async () => {
    const text = '{"$schema": "http://127.0.0.1:9/s.json", "mcpServers": {"a": {"command": "x"}}}';
    const { messages } = await check('file:///w/.mcp.json', text);
    assert.deepEqual(messages, []);
  });
});
