import assert from 'node:assert/strict';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createMCPClient } from '@ai-sdk/mcp';
import { Experimental_StdioMCPTransport as AiTransport } from '@ai-sdk/mcp/mcp-stdio';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { answersAt } from '../../src/server/discovery/probe';
import { type EditorAgent, sdk1, sdk2, useEditor } from './editorServer/editorAgent';
import { EditorWindow, unsavedText } from './editorServer/editorWindow';
import { Inspector } from './editorServer/inspectorAgent';
import { rawBridge, rawHttp } from './editorServer/rawAgents';
import { freePort, HttpServer } from './httpServer';
import { note } from './note';

/** A resource that there is not, by revision. */
const MISSING = { '2025-11-25': -32_002, '2026-07-28': -32_602 } as const;
type Version = keyof typeof MISSING;

describe('the editor server by other clients', () => {
  let window: EditorWindow;

  before(async () => {
    window = await EditorWindow.open();
  });
  after(() => window.close());

  const http = () => ({ requestInit: { headers: { authorization: window.authorization } } });
  const mcpRemote = () => ({
    command: process.execPath,
    args: [
      resolve('node_modules/mcp-remote/dist/proxy.js'),
      window.url.href,
      '--allow-http',
      '--transport',
      'http-only',
      '--header',
      `Authorization:${window.authorization}`,
    ],
    env: { PATH: process.env['PATH'] ?? '', MCP_REMOTE_CONFIG_DIR: join(window.home, 'mcp-remote') },
    stderr: 'ignore' as const,
  });

  const agents: readonly (readonly [string, Version, () => Promise<EditorAgent>])[] = [
    ['HTTP, official SDK 1', '2025-11-25', () => sdk1(new HttpV1(window.url, http()))],
    ['HTTP, official SDK 2', '2025-11-25', () => sdk2('legacy', new StreamableHTTPClientTransport(window.url, http()))],
    ['HTTP, official SDK 2', '2026-07-28', () => sdk2('auto', new StreamableHTTPClientTransport(window.url, http()))],
    ['HTTP, a raw TCP socket', '2025-11-25', () => rawHttp('session', window, 'port')],
    ['HTTP, a raw TCP socket', '2026-07-28', () => rawHttp('stateless', window, 'port')],
    ['HTTP, a raw local socket', '2025-11-25', () => rawHttp('session', window, 'socket')],
    ['HTTP, a raw local socket', '2026-07-28', () => rawHttp('stateless', window, 'socket')],
    ['HTTP, mcp-remote', '2025-11-25', () => sdk2('legacy', new StdioClientTransport(mcpRemote()))],
    ['HTTP, mcp-remote', '2026-07-28', () => sdk2('auto', new StdioClientTransport(mcpRemote()))],
    ['bridge, official SDK 1', '2025-11-25', () => sdk1(new StdioV1(window.bridge()))],
    ['bridge, official SDK 2', '2025-11-25', () => sdk2('legacy', new StdioClientTransport(window.bridge()))],
    ['bridge, official SDK 2', '2026-07-28', () => sdk2('auto', new StdioClientTransport(window.bridge()))],
    ['bridge, raw lines', '2025-11-25', () => rawBridge('session', window)],
    ['bridge, raw lines', '2026-07-28', () => rawBridge('stateless', window)],
  ];
  for (const [name, version, open] of agents) {
    it(`${name}, ${version}`, async function () {
      const agent = await open();
      try {
        await useEditor(agent, window, MISSING[version]);
      } finally {
        await agent.close();
      }
      note(this, version);
    });
  }

  /** What this client has of the protocol. */
  async function useWithAiSdk(client: Awaited<ReturnType<typeof createMCPClient>>): Promise<void> {
    try {
      const { tools } = await client.listTools();
      assert.ok(tools.some(({ name }) => name === 'read_file'));
      const { read_file: readFile } = await client.tools();
      const read = await readFile?.execute({ file: 'src/a.ts' }, { toolCallId: '1', messages: [] } as never);
      assert.equal((read as { structuredContent?: { text: string } }).structuredContent?.text, unsavedText);
      const { contents } = await client.readResource({ uri: window.editor.uri('src/a.ts') });
      assert.equal(contents[0]?.['text'], unsavedText);
      assert.ok((await client.listResources()).nextCursor);
      const prompt = await client.experimental_getPrompt({ name: 'fix_problems', arguments: { file: 'src/a.ts' } });
      assert.match(JSON.stringify(prompt.messages), /Expression expected/);
    } finally {
      await client.close();
    }
  }

  it('HTTP, @ai-sdk/mcp', async function () {
    const headers = { authorization: window.authorization };
    const client = await createMCPClient({ transport: { type: 'http', url: window.url.href, headers } });
    note(this, client.initializeResult.protocolVersion);
    await useWithAiSdk(client);
  });

  it('bridge, @ai-sdk/mcp', async function () {
    const client = await createMCPClient({ transport: new AiTransport(window.bridge()) });
    note(this, client.initializeResult.protocolVersion);
    await useWithAiSdk(client);
  });

  describe('bridge, mcp-proxy before it', () => {
    let proxy: HttpServer;
    let url: URL;

    before(async () => {
      const port = await freePort();
      const { command, args, cwd, env } = window.bridge();
      const program = resolve('node_modules/mcp-proxy/dist/bin/mcp-proxy.mjs');
      proxy = await HttpServer.start({
        args: [program, '--port', String(port), '--', command, ...args, '--workspace', cwd],
        env,
        listening: /starting server on port/,
      });
      // It says so a moment before it does.
      while (!(await answersAt({ kind: 'tcp', host: '127.0.0.1', port }))) {
        await delay(20);
      }
      url = new URL(`http://localhost:${port}/mcp`);
    });
    after(() => proxy.stop());

    for (const [mode, version] of [
      ['legacy', '2025-11-25'],
      ['auto', '2026-07-28'],
    ] as const) {
      it(version, async function () {
        const agent = await sdk2(mode, new StreamableHTTPClientTransport(url));
        try {
          await useEditor(agent, window, MISSING[version], 1);
        } finally {
          await agent.close();
        }
        note(this, version);
      });
    }
  });

  for (const over of ['http', 'bridge'] as const) {
    for (const [era, version] of [
      ['legacy', '2025-11-25'],
      ['modern', '2026-07-28'],
    ] as const) {
      it(`${over === 'http' ? 'HTTP' : 'bridge'}, MCP Inspector, ${version}`, async function () {
        const inspector = new Inspector(window, era, over);
        const run = async (method: string, ...options: readonly string[]) => {
          const { code, result, said } = await inspector.run(method, ...options);
          assert.equal(code, 0, said);
          return result;
        };
        // --strict fails where a schema is one that not every model API takes.
        const { tools } = (await run('tools/list', '--strict')) as { tools: { name: string }[] };
        assert.ok(tools.some(({ name }) => name === 'read_file'));
        const read = await run('tools/call', '--tool-name', 'read_file', '--tool-arg', 'file=src/a.ts');
        assert.equal((read['structuredContent'] as { text: string }).text, unsavedText);
        const found = await run('tools/call', '--tool-name', 'get_diagnostics', '--tool-arg', 'files=["src/a.ts"]');
        assert.match(JSON.stringify(found['structuredContent']), /Expression expected/);
        assert.match(JSON.stringify(await run('resources/list')), /lib\/file449\.ts/);
        assert.match(JSON.stringify(await run('resources/templates/list')), /diagnostics:\/\/file\//);
        const uri = window.editor.uri('src/a.ts');
        assert.match(JSON.stringify(await run('resources/read', '--uri', uri)), /const unsaved/);
        const prompt = ['--prompt-name', 'fix_problems', '--prompt-args', 'file=src/a.ts'];
        assert.match(JSON.stringify(await run('prompts/get', ...prompt)), /Expression expected/);
        const missing = await inspector.run('resources/read', '--uri', window.editor.uri('none.ts'));
        assert.notEqual(missing.code, 0);
        assert.match(missing.said, /There is no .*none\.ts/);
        note(this, version);
      });
    }
  }
});
