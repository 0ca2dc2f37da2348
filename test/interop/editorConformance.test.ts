import assert from 'node:assert/strict';
import { fixtureChecks, runScenario } from './conformance';
import { EditorWindow } from './editorServer/editorWindow';
import { measured, note } from './note';
import { runAhead } from './runAhead';

/**
 * The scenarios that ask for no tool, resource or prompt of the suite's own fixture, and so have something to say of any
 * server. All others call fixed names (`test_simple_text`, `test://static-text`, …), which conformanceServer.test.ts gives
 * them on the same listener, endpoint and eras; `logging-set-level` is about a capability that this server does not declare.
 */
const scenarios = [
  // Opening, and what belongs to no feature.
  ['server-initialize', '2025-06-18'],
  ['server-initialize', '2025-11-25'],
  ['ping', '2025-06-18'],
  ['ping', '2025-11-25'],
  ['server-session-lifecycle', '2025-03-26'],
  ['server-session-lifecycle', '2025-06-18'],
  ['server-session-lifecycle', '2025-11-25'],
  ['server-sse-multiple-streams', '2025-11-25'],
  ['server-sse-multiple-streams', '2026-07-28'],
  ['dns-rebinding-protection', '2025-11-25'],
  ['dns-rebinding-protection', '2026-07-28'],
  ['http-header-validation', '2026-07-28'],
  ['server-stateless', '2026-07-28'],
  ['input-required-result-unsupported-methods', '2026-07-28'],
  // Lists, whatever is in them.
  ['tools-list', '2025-06-18'],
  ['tools-list', '2025-11-25'],
  ['tools-list', '2026-07-28'],
  ['resources-list', '2025-11-25'],
  ['resources-list', '2026-07-28'],
  ['prompts-list', '2025-11-25'],
  ['prompts-list', '2026-07-28'],
  ['caching', '2026-07-28'],
  // A resource that there is not.
  ['sep-2164-resource-not-found', '2026-07-28'],
] as const;

/** Checks of a scenario that look for names of the fixture all the same. */
const exemptions: Readonly<Record<string, readonly string[]>> = {
  'server-stateless': fixtureChecks,
};

describe('conformance of the editor server', () => {
  let window: EditorWindow;
  const steps = runAhead(scenarios, async ([scenario, version]) =>
    runScenario('server', scenario, version, ['--url', (await window.openUrl()).href], exemptions[scenario]),
  );

  before(async () => {
    window = await EditorWindow.open();
  });
  after(async () => {
    await steps.settled();
    await window.close();
  });

  for (const at of scenarios) {
    const [scenario, version] = at;
    it(`${scenario} ${version}`, async function () {
      const { problems, ...measure } = await steps.result(at);
      measured(this, measure);
      const exempt = exemptions[scenario]?.length ?? 0;
      if (exempt > 0) {
        note(this, `${exempt} checks look for names of the suite's fixture`);
      }
      assert.deepEqual(problems, []);
    });
  }
});
