import assert from 'node:assert/strict';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runScenario } from './conformance';
import { UNSUPPORTED } from './conformanceClient/unsupported';
import { listClientScenarios, type ScenarioAt } from './conformanceList';
import { measured, note } from './note';
import { runAhead } from './runAhead';

const client = relative('.', fileURLToPath(new URL('conformanceClient/main.js', import.meta.url)));
const { required, further } = await listClientScenarios(['2025-11-25', '2026-07-28']);

for (const [version, scenarios] of required) {
  suite(
    `conformance-client-${version}`,
    scenarios.map((scenario) => ({ scenario, version })),
    ({ scenario }) => scenario,
  );
}
suite('extra-client', further, ({ scenario, version }) => `${scenario} ${version}`);

/** A test per scenario. One that is known not to pass is run as well, and the test fails once it does pass. */
function suite(title: string, scenarios: readonly ScenarioAt[], name: (at: ScenarioAt) => string): void {
  describe(title, () => {
    const { result, settled } = runAhead(scenarios, ({ scenario, version }) =>
      runScenario('client', scenario, version, ['--command', `node ${client}`]),
    );
    after(settled);

    for (const at of scenarios) {
      it(name(at), async function () {
        const { problems, ...measure } = await result(at);
        const reason = title === 'extra-client' ? UNSUPPORTED[at.scenario] : undefined;
        if (reason === undefined) {
          measured(this, measure);
          assert.deepEqual(problems, []);
        } else {
          measured(this, { ...measure, short: true });
          note(this, reason);
          assert.notDeepEqual(problems, [], 'It passes: it is no longer one of the unsupported.');
        }
      });
    }
  });
}
