import assert from 'node:assert/strict';
import type { ScenarioResult } from './conformance';
import type { ScenarioAt, Scenarios } from './conformanceList';
import { measured, note } from './note';
import { runAhead } from './runAhead';

export interface ConformanceSuite {
  readonly side: 'client' | 'server';
  readonly scenarios: Scenarios;
  /** Further scenarios that are known not to pass, by name, with the reason. */
  readonly unsupported: Readonly<Record<string, string>>;
  run(at: ScenarioAt): Promise<ScenarioResult>;
  /** Lets go of what the runs of one suite have shared. */
  close?(): Promise<void>;
}

/** A suite per revision of what it requires, and one of all the others. */
export function defineConformance({ side, scenarios, unsupported, run, close }: ConformanceSuite): void {
  const suite = { run, ...(close && { close }) };
  for (const [version, required] of scenarios.required) {
    define(
      `conformance-${side}-${version}`,
      required.map((scenario) => ({ scenario, version })),
      suite,
      ({ scenario }) => scenario,
    );
  }
  define(`extra-${side}`, scenarios.further, suite, ({ scenario, version }) => `${scenario} ${version}`, unsupported);
}

/** A test per scenario. One that is known not to pass is run as well, and the test fails once it does pass. */
function define(
  title: string,
  scenarios: readonly ScenarioAt[],
  { run, close }: Pick<ConformanceSuite, 'run' | 'close'>,
  name: (at: ScenarioAt) => string,
  unsupported: ConformanceSuite['unsupported'] = {},
): void {
  describe(title, () => {
    const { result, settled } = runAhead(scenarios, run);
    after(async () => {
      await settled();
      await close?.();
    });

    for (const at of scenarios) {
      it(name(at), async function () {
        const { problems, ...measure } = await result(at);
        const reason = unsupported[at.scenario];
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
