// The client that the official conformance suite tests: `node main.js URL`, with the scenario's name in its environment.
// It connects Portico's host to the URL, does what the scenario wants done, and ends with 0.
import { signal } from '@preact/signals-core';
import type { ElicitResult } from '@modelcontextprotocol/client';
import { withDefaults } from '../../../src/base/schemaDefaults';
import { openTestHub } from '../../harness/testHub';
import { noCache } from '../noCache';
import { authorizationUi } from './authorizationUi';
import { credentials } from './credentials';
import { runScenario, type ScenarioContext, SERVER } from './scenarios';
import { ScenarioSecrets } from './scenarioSecrets';

const CLIENT_METADATA_URL = 'https://conformance-test.local/client-metadata.json';

async function main(): Promise<void> {
  const scenario = process.env['MCP_CONFORMANCE_SCENARIO'] ?? '';
  const context = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as ScenarioContext;
  const auth = credentials(context, scenario);
  const { hub, close } = await openTestHub(
    { [SERVER]: { type: 'http', url: process.argv[2], ...(auth ? { auth } : {}) } },
    {
      cache: noCache,
      auth: { secrets: new ScenarioSecrets(), ui: authorizationUi, clientMetadataUrl: signal(CLIENT_METADATA_URL) },
      // The defaults of the form are the answer.
      elicitationUi: {
        ask: async ({ schema }) => ({ action: 'accept', content: withDefaults(schema, {}) as ElicitResult['content'] }),
      },
    },
  );
  try {
    await hub.start(SERVER, { interactive: true });
    await runScenario(hub, scenario, context);
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
