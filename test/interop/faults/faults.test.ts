import assert from 'node:assert/strict';
import { note } from '../note';
import { collectedMemory } from './collectedMemory';
import { FaultHub, HEALTHY, whatIsSeen } from './faultHub';
import { callDuring } from './healthyCalls';
import { httpHabits } from './httpHabits';
import { MarkedProcesses } from './markedProcesses';
import { stdioHabits } from './stdioHabits';

/** Growth that a habit may leave behind in megabytes: the code that it made us load stays. */
const MOST_GROWTH = 16;
/** Healthy calls may get so much slower, or last so many milliseconds: others use the machine, too. */
const MOST_RATIO = 10;
const MOST_MS = 100;

describe('fault matrix', () => {
  let faults: FaultHub;
  let healthy: readonly number[];
  before(async () => {
    faults = await FaultHub.open();
    // The first calls compile and load what the others use.
    await callDuring(faults.hub, HEALTHY, Promise.resolve());
    healthy = faults.healthyProcesses.list();
  });
  after(() => faults.close());

  for (const { name, open, use, sees } of [...stdioHabits, ...httpHabits]) {
    it(name, async function () {
      const processes = new MarkedProcesses();
      const quiet = await callDuring(faults.hub, HEALTHY, Promise.resolve());
      const before = await collectedMemory();
      const { entry, close } = await open();
      const sick = faults.add('command' in entry ? { ...entry, env: processes.env } : entry);
      const used = use(sick).catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
      const busy = await callDuring(faults.hub, HEALTHY, used);
      const seen = whatIsSeen(sick.view, await used);
      faults.remove();
      const left = await processes.left();
      await close?.();
      const growth = (await collectedMemory()) - before;

      const ratio = busy.median / quiet.median;
      const others = `others ×${ratio.toFixed(1)}, worst ${busy.worst.toFixed(0)} ms`;
      note(this, `${others}; ${left.length} left; ${growth.toFixed(1)} MB; ${seen}`);
      assert.match(seen, sees);
      assert.ok(ratio < MOST_RATIO || busy.median < MOST_MS, `healthy calls took ${busy.median} ms`);
      assert.deepEqual(left, []);
      assert.ok(growth < MOST_GROWTH, `${growth} MB more are alive`);
      assert.deepEqual(faults.healthyProcesses.list(), healthy);
    });
  }
});
