import { createMCPClient } from '@ai-sdk/mcp';
import { Experimental_StdioMCPTransport as AiTransport } from '@ai-sdk/mcp/mcp-stdio';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { FakeWindow } from '../unit/bridge/fakeWindow';
import { note } from './note';

const info = { name: 'interop', version: '1' };

/** What every client below can do. */
interface AnyClient {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

describe('our bridge by other clients', () => {
  let folder: string;
  let window: FakeWindow;

  before(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'portico-interop-')));
    window = await FakeWindow.open(join(folder, 'home'), 'window', folder);
  });
  after(() => {
    window.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const program = () => ({
    command: process.execPath,
    args: [resolve('dist/bridge.js')],
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', PORTICO_HOME: join(folder, 'home') },
  });

  async function use(client: AnyClient): Promise<void> {
    try {
      assert.deepEqual(
        (await client.listTools()).tools.map(({ name }) => name),
        ['who'],
      );
      const { content } = await client.callTool({ name: 'who', arguments: { x: 1 } });
      assert.deepEqual(content, [{ type: 'text', text: 'window {"x":1}' }]);
    } finally {
      await client.close();
    }
  }

  for (const [mode, version] of [
    ['legacy', '2025-11-25'],
    ['auto', '2026-07-28'],
  ] as const) {
    it(`official SDK 2, ${mode}`, async function () {
      const client = new Client(info, { versionNegotiation: { mode } });
      await client.connect(new StdioClientTransport(program()));
      assert.equal(client.getNegotiatedProtocolVersion(), version);
      await use(client);
      note(this, version);
    });
  }

  it('official SDK 1', async function () {
    const client = new ClientV1(info);
    await client.connect(new TransportV1(program()));
    await use(client as unknown as AnyClient);
    note(this, '2025-11-25');
  });

  it('@ai-sdk/mcp', async function () {
    const client = await createMCPClient({ transport: new AiTransport(program()) });
    const { protocolVersion } = client.initializeResult;
    await use(client as unknown as AnyClient);
    note(this, protocolVersion);
  });
});
