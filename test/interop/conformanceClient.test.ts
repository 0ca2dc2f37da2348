import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runScenario } from './conformance';
import { UNSUPPORTED } from './conformanceClient/unsupported';
import { listScenarios } from './conformanceList';
import { defineConformance } from './conformanceSuite';

const client = relative('.', fileURLToPath(new URL('conformanceClient/main.js', import.meta.url)));

defineConformance({
  side: 'client',
  scenarios: await listScenarios('client', ['2025-11-25', '2026-07-28']),
  unsupported: UNSUPPORTED,
  run: ({ scenario, version }) => runScenario('client', scenario, version, ['--command', `node ${client}`]),
});
