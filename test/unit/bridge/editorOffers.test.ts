import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { NullLogger } from '../../../src/base/log';
import { createEditorServer } from '../../../src/server/editor/createEditorServer';
import { wholeScope } from '../../../src/server/editor/offerCatalog';
import { FakeEditor } from '../server/editor/fakeEditor';

const file = 'src/bridge/editorOffers.json';

describe('what the bridge knows of the editor server before it has seen one', () => {
  /** With WRITE_OFFERS set the file is written anew; `npx prettier --write` puts it in form. */
  it('is what the editor server offers with the settings that it comes with', async () => {
    const editor = new FakeEditor();
    editor.settings.value = { ...editor.settings.value, groups: new Set() };
    const { server, dispose } = createEditorServer({
      ports: editor,
      worker: pathToFileURL('none'),
      version: '0.0.0',
      scopeOf: () => wholeScope,
      log: new NullLogger(),
    });
    const client = new Client({ name: 'test', version: '1' });
    const [near, far] = InMemoryTransport.createLinkedPair();
    await server.createServer({ id: 'one', label: 'One' }).connect(far);
    await client.connect(near);
    const { tools } = await client.listTools();
    const { prompts } = await client.listPrompts();
    const { resourceTemplates } = await client.listResourceTemplates();
    const offers = {
      initialize: { capabilities: client.getServerCapabilities(), instructions: client.getInstructions() },
      'tools/list': { tools },
      'prompts/list': { prompts },
      'resources/templates/list': { resourceTemplates },
    };
    await client.close();
    dispose();
    editor.dispose();
    if (process.env['WRITE_OFFERS'] !== undefined) {
      writeFileSync(file, JSON.stringify(offers));
    }
    assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), JSON.parse(JSON.stringify(offers)));
    assert.ok(tools.length > 15);
  });
});
