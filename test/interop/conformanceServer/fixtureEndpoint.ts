import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import { NullLogger } from '../../../src/base/log';
import { ClientTokens, newToken } from '../../../src/server/clientTokens';
import type { EndpointOffers } from '../../../src/server/endpoint/endpointTypes';
import { McpEndpoint } from '../../../src/server/endpoint/mcpEndpoint';
import { createTestListener, type TestListener } from '../../unit/server/localListener';
import { TokenProxy } from '../tokenProxy';
import { askingTools } from './askingTools';
import { contentTools } from './contentTools';
import { addFixturePrompts } from './fixturePrompts';
import { addFixtureResources } from './fixtureResources';
import { inputTools, requestState } from './inputTools';

const tools = { ...contentTools, ...askingTools, ...inputTools };

/** The names that the official suite asks a server for, on the product's own listener, checks and eras. */
export class FixtureEndpoint {
  private constructor(
    private readonly proxy: TokenProxy,
    private readonly endpoint: McpEndpoint,
    private readonly test: TestListener,
  ) {}

  static async open(): Promise<FixtureEndpoint> {
    const tokens = new ClientTokens();
    const token = newToken();
    tokens.add({ id: 'suite', label: 'the conformance suite' }, token);
    const test = createTestListener({}, tokens);
    const offers: EndpointOffers = {
      createServer: () => createServer(() => endpoint),
      watched: { watch: async () => ({ dispose: () => undefined }) },
    };
    const endpoint: McpEndpoint = new McpEndpoint(offers, { log: new NullLogger() });
    test.listener.addRoute(endpoint.route('/editor'));
    const proxy = await TokenProxy.open(await test.listener.startLoopback(), token);
    return new FixtureEndpoint(proxy, endpoint, test);
  }

  get url(): string {
    return this.proxy.url('/editor').href;
  }

  async close(): Promise<void> {
    await this.proxy.close();
    this.endpoint.dispose();
    this.test.dispose();
  }
}

function createServer(endpoint: () => McpEndpoint): Server {
  const capabilities = {
    tools: { listChanged: true },
    resources: { listChanged: true, subscribe: true },
    prompts: { listChanged: true },
    completions: {},
    logging: {},
  };
  const server = new Server(
    { name: 'portico-conformance', version: '1.0.0' },
    { capabilities, requestState: { verify: requestState.verify } },
  );
  server.setRequestHandler('tools/list', async () => ({
    tools: Object.entries(tools).map(([name, { inputSchema = { type: 'object' as const } }]) => ({
      name,
      description: `The suite's ${name}`,
      inputSchema,
    })),
  }));
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const tool = tools[params.name];
    if (tool === undefined) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${params.name}.`);
    }
    return tool.run({ server, context, args: params.arguments ?? {}, notices: endpoint().notices });
  });
  addFixtureResources(server);
  addFixturePrompts(server);
  return server;
}
