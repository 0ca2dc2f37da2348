// The client that the official conformance suite tests: `node main.js URL`, with the scenario's name in its environment.
// It connects Portico's host to the URL, does what the scenario wants done, and ends with 0.
import type { Hub } from '../../../src/core/hubTypes';
import { openTestHub } from '../../harness/testHub';
import { noCache } from '../noCache';

const SERVER = 'conformance';

type Scenario = (hub: Hub) => Promise<unknown>;

/** What a scenario wants beyond a start, which reads all lists. */
const SCENARIOS: Readonly<Record<string, Scenario>> = {
  tools_call: (hub) => call(hub, 'add_numbers', { a: 5, b: 3 }),
  'sse-retry': (hub) => call(hub, 'test_reconnection', {}),
  'http-standard-headers': useOneOfEach,
  'json-schema-2020-12-preservation': (hub) =>
    call(hub, 'json_schema_echo', { schema: toolSchema(hub, 'json_schema_2020_12_tool') }),
};

async function call(hub: Hub, name: string, args: Readonly<Record<string, unknown>>): Promise<void> {
  const caller = { kind: 'cli', label: 'conformance' } as const;
  const result = await hub.callTool({ server: SERVER, name }, args, { caller });
  if (result.isError === true) {
    throw new Error(`${name} answered with an error: ${JSON.stringify(result.content)}`);
  }
}

async function useOneOfEach(hub: Hub): Promise<void> {
  const [tool] = hub.catalog.tools.peek();
  const [resource] = hub.catalog.resources.peek();
  const [prompt] = hub.catalog.prompts.peek();
  if (!tool || !resource || !prompt) {
    throw new Error('A list is empty.');
  }
  await call(hub, tool.ref.name, {});
  await hub.readResource(SERVER, resource.item.uri);
  await hub.getPrompt(SERVER, prompt.item.name, {});
}

function toolSchema(hub: Hub, name: string): unknown {
  return hub.catalog.tools.peek().find(({ ref }) => ref.name === name)?.tool.inputSchema;
}

async function main(): Promise<void> {
  const { hub, close } = await openTestHub({ [SERVER]: { type: 'http', url: process.argv[2] } }, { cache: noCache });
  try {
    await hub.start(SERVER, { interactive: false });
    await SCENARIOS[process.env['MCP_CONFORMANCE_SCENARIO'] ?? '']?.(hub);
  } finally {
    await close();
  }
}

// The core's timers let a process end; a scenario waits for them.
const awake = setInterval(() => undefined, 60_000);
main()
  .catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  })
  .finally(() => clearInterval(awake));
