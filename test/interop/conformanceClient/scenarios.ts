import type { Hub } from '../../../src/core/hubTypes';
import type { Credentials } from './credentials';

export const SERVER = 'conformance';

/** What the suite hands a scenario beside its name; all of it optional. */
export interface ScenarioContext extends Credentials {
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> }[];
}

type Scenario = (hub: Hub, context: ScenarioContext) => Promise<unknown>;

/** What a scenario wants beyond a start, which reads all lists. */
const SCENARIOS: Readonly<Record<string, Scenario>> = {
  tools_call: (hub) => call(hub, 'add_numbers', { a: 5, b: 3 }),
  'elicitation-sep1034-client-defaults': (hub) => call(hub, 'test_client_elicitation_defaults'),
  'sse-retry': (hub) => call(hub, 'test_reconnection'),
  'sep-2322-client-request-state': (hub) => Promise.all(toolNames(hub).map((name) => call(hub, name))),
  'http-standard-headers': useOneOfEach,
  'http-custom-headers': async (hub, { toolCalls = [] }) => {
    for (const { name, arguments: args } of toolCalls) {
      await call(hub, name, args);
    }
  },
  'http-invalid-tool-headers': (hub) =>
    Promise.all(toolNames(hub).map((name) => call(hub, name, { region: 'us-west1' }))),
  'json-schema-2020-12-preservation': (hub) =>
    call(hub, 'json_schema_echo', { schema: toolSchema(hub, 'json_schema_2020_12_tool') }),
};

export async function runScenario(hub: Hub, name: string, context: ScenarioContext): Promise<void> {
  const scenario = SCENARIOS[name] ?? (name.startsWith('auth/') ? callProtected : undefined);
  await scenario?.(hub, context);
}

/** The tool behind the authorization; a scenario may have none. */
async function callProtected(hub: Hub): Promise<void> {
  if (toolNames(hub).includes('test-tool')) {
    await call(hub, 'test-tool');
  }
}

async function call(hub: Hub, name: string, args: Readonly<Record<string, unknown>> = {}): Promise<void> {
  const caller = { kind: 'manual', label: 'conformance' } as const;
  const result = await hub.callTool({ server: SERVER, name }, args, { caller });
  if (result.isError === true) {
    throw new Error(`${name} answered with an error: ${JSON.stringify(result.content)}`);
  }
}

async function useOneOfEach(hub: Hub): Promise<void> {
  const [tool] = toolNames(hub);
  const [resource] = hub.catalog.resources.peek();
  const [prompt] = hub.catalog.prompts.peek();
  if (tool === undefined || !resource || !prompt) {
    throw new Error('A list is empty.');
  }
  await call(hub, tool);
  await hub.readResource(SERVER, resource.item.uri);
  await hub.getPrompt(SERVER, prompt.item.name, {});
}

/** Of those that can be called. */
function toolNames(hub: Hub): readonly string[] {
  return hub.catalog.tools
    .peek()
    .filter(({ problem }) => problem === undefined)
    .map(({ ref }) => ref.name);
}

function toolSchema(hub: Hub, name: string): unknown {
  return hub.catalog.tools.peek().find(({ ref }) => ref.name === name)?.tool.inputSchema;
}
