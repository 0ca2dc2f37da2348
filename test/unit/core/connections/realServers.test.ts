import assert from 'node:assert/strict';
import { connectionTo, script, stopAll } from './testConnection';

const EVERYTHING = 'node_modules/@modelcontextprotocol/server-everything/dist/index.js';
const FILESYSTEM = 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js';
const CONTEXT7 = 'node_modules/@upstash/context7-mcp/dist/index.js';

describe('connections to real servers', () => {
  afterEach(stopAll);

  it('lists and calls server-everything', async () => {
    const { connection } = connectionTo(script(EVERYTHING, 'stdio'));
    await connection.start({ interactive: false });
    const state = connection.state.value;
    assert.equal(state.kind, 'ready');
    assert.equal(state.kind === 'ready' && state.info.era, 'session');
    assert.equal(state.kind === 'ready' && state.info.protocolVersion, '2025-11-25');
    const { tools, resources, templates, prompts } = connection.lists.value;
    assert.equal(
      tools.items.some(({ name }) => name === 'echo'),
      true,
    );
    assert.equal(resources.items.length > 0, true);
    assert.equal(templates.items.length, 2);
    assert.equal(prompts.items.length, 4);
    const result = await connection.callTool('echo', { message: 'hello' });
    assert.deepEqual(result.content, [{ type: 'text', text: 'Echo: hello' }]);
  });

  it('starts server-filesystem', async () => {
    const { connection } = connectionTo(script(FILESYSTEM, process.cwd()));
    await connection.start({ interactive: false });
    assert.equal(connection.lists.value.tools.items.length, 14);
  });

  it('speaks the stateless era with context7 and probes no more at the second start', async () => {
    const { connection, eras } = connectionTo(script(CONTEXT7));
    await connection.start({ interactive: false });
    const state = connection.state.value;
    assert.equal(state.kind === 'ready' && state.info.era, 'stateless');
    assert.equal(state.kind === 'ready' && state.info.protocolVersion, '2026-07-28');
    assert.equal(connection.lists.value.tools.items.length, 2);
    assert.equal(eras.get(connection.definition.launchDigest), 'stateless');
  });
});
