import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runScenario } from './conformance';
import { note } from './note';

/** The scenarios of the features that are built, in each revision in which they differ. */
const SCENARIOS = [
  ['initialize', '2025-06-18'],
  ['initialize', '2025-11-25'],
  ['tools_call', '2025-11-25'],
  ['tools_call', '2026-07-28'],
  ['sse-retry', '2025-11-25'],
  ['request-metadata', '2026-07-28'],
  ['http-standard-headers', '2026-07-28'],
  ['json-schema-ref-no-deref', '2026-07-28'],
  ['json-schema-2020-12-preservation', '2025-11-25'],
  ['json-schema-2020-12-preservation', '2026-07-28'],
] as const;

describe('conformance client', () => {
  const client = relative('.', fileURLToPath(new URL('conformanceClient/main.js', import.meta.url)));

  for (const [scenario, version] of SCENARIOS) {
    it(`${scenario} ${version}`, async function () {
      const passed = await runScenario('client', scenario, version, ['--command', `node ${client}`]);
      note(this, `checks passed: ${passed}`);
    });
  }
});
