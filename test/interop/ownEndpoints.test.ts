import { createMCPClient } from '@ai-sdk/mcp';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { fixtureChecks, runScenario } from './conformance';
import { GatewayEndpoint } from './gatewayEndpoint';
import { measured, note } from './note';
import { everythingEntry } from './referencePrograms';

const DOCUMENT = 'demo://resource/static/document/features.md';
const info = { name: 'interop', version: '1' };

/** What every client below can do. */
interface AnyClient {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<Record<string, unknown>>;
  listResources(): Promise<{ resources: { uri: string }[] }>;
  readResource(read: { uri: string }): Promise<{ contents: { uri: string }[] }>;
  listPrompts(): Promise<{ prompts: { name: string }[] }>;
  close(): Promise<void>;
}

describe('our endpoints by other clients', () => {
  let endpoint: GatewayEndpoint;

  before(async () => {
    endpoint = await GatewayEndpoint.open('everything', everythingEntry);
  });
  after(() => endpoint.close());

  async function use(client: AnyClient): Promise<void> {
    try {
      const { tools } = await client.listTools();
      assert.ok(tools.some(({ name }) => name === 'echo'));
      const message = randomUUID();
      const { content } = await client.callTool({ name: 'echo', arguments: { message } });
      assert.deepEqual(content, [{ type: 'text', text: `Echo: ${message}` }]);
      assert.equal((await client.listResources()).resources.length, 7);
      assert.equal((await client.readResource({ uri: DOCUMENT })).contents[0]?.uri, DOCUMENT);
      assert.equal((await client.listPrompts()).prompts.length, 4);
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
      await client.connect(new StreamableHTTPClientTransport(endpoint.url));
      assert.equal(client.getNegotiatedProtocolVersion(), version);
      await use(client);
      note(this, version);
    });
  }

  it('official SDK 1', async function () {
    const client = new ClientV1(info);
    const transport = new TransportV1(endpoint.url);
    await client.connect(transport);
    assert.equal(transport.protocolVersion, '2025-11-25');
    await use(client as unknown as AnyClient);
    note(this, transport.protocolVersion);
  });

  it('@ai-sdk/mcp', async function () {
    const client = await createMCPClient({ transport: { type: 'http', url: endpoint.url.href } });
    const { protocolVersion } = client.initializeResult;
    assert.equal(protocolVersion, '2026-07-28');
    await use(client as unknown as AnyClient);
    note(this, protocolVersion);
  });

  /** Those that need no names of a fixture's tools, and no feature that is still to come. */
  const scenarios = [
    ['server-initialize', '2025-11-25'],
    ['ping', '2025-11-25'],
    ['logging-set-level', '2025-11-25'],
    ['tools-list', '2025-11-25'],
    ['resources-list', '2025-11-25'],
    ['prompts-list', '2025-11-25'],
    ['server-sse-multiple-streams', '2025-11-25'],
    ['dns-rebinding-protection', '2025-11-25'],
    ['server-session-lifecycle', '2025-11-25'],
    ['server-stateless', '2026-07-28'],
    ['tools-list', '2026-07-28'],
    ['resources-list', '2026-07-28'],
    ['prompts-list', '2026-07-28'],
    ['caching', '2026-07-28'],
    ['http-header-validation', '2026-07-28'],
    ['sep-2164-resource-not-found', '2026-07-28'],
    ['dns-rebinding-protection', '2026-07-28'],
  ] as const;
  const exemptions: Readonly<Record<string, readonly string[]>> = {
    'server-stateless': fixtureChecks,
    // An error goes on as the server sent it, and server-everything names no URI in it.
    'sep-2164-resource-not-found': ['sep-2164-data-uri'],
  };
  for (const [scenario, version] of scenarios) {
    it(`conformance ${scenario} ${version}`, async function () {
      const exempt = exemptions[scenario] ?? [];
      const result = await runScenario('server', scenario, version, ['--url', endpoint.url.href], exempt);
      measured(this, result);
      if (exempt.length > 0) {
        note(this, `${exempt.length} not applicable`);
      }
      assert.deepEqual(result.problems, []);
    });
  }
});
