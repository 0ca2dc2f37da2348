import { runScenario } from './conformance';
import { listScenarios } from './conformanceList';
import { FixtureEndpoint } from './conformanceServer/fixtureEndpoint';
import { UNSUPPORTED } from './conformanceServer/unsupported';
import { defineConformance } from './conformanceSuite';

/** One for all scenarios of a suite, at once: as it is in a window. */
let endpoint: Promise<FixtureEndpoint> | undefined;

defineConformance({
  side: 'server',
  scenarios: await listScenarios('server', ['2025-11-25', '2026-07-28']),
  unsupported: UNSUPPORTED,
  run: async ({ scenario, version }) => {
    endpoint ??= FixtureEndpoint.open();
    return runScenario('server', scenario, version, ['--url', (await endpoint).url]);
  },
  close: async () => {
    const open = endpoint;
    endpoint = undefined;
    await (await open)?.close();
  },
});
