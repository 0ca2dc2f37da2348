import assert from 'node:assert/strict';
import { ListRefresh } from '../../../../src/core/connections/listRefresh';
import type { ListKind } from '../../../../src/core/connections/connectionTypes';
import { FakeClock } from './fakeClock';

const times = { quietMs: 100, longestWaitMs: 1_500, leastGapMs: 250, mostGapMs: 5_000 };

describe('ListRefresh', () => {
  let clock: FakeClock;
  let runs: { at: number; kinds: readonly ListKind[] }[];
  beforeEach(() => {
    clock = new FakeClock();
    runs = [];
  });

  const record = async (kinds: readonly ListKind[]): Promise<void> => {
    runs.push({ at: clock.now(), kinds });
  };

  it('fault 40: makes one refresh of a burst, with every kind that changed', async () => {
    const refresh = new ListRefresh(record, clock, times);
    refresh.notify(['tools']);
    await clock.pass(50);
    refresh.notify(['resources', 'templates']);
    await clock.pass(5_000);
    assert.deepEqual(runs, [{ at: 150, kinds: ['tools', 'resources', 'templates'] }]);
  });

  it('fault 40: refreshes at most twice in a burst of a second', async () => {
    const refresh = new ListRefresh(record, clock, times);
    for (let index = 0; index < 200; index += 1) {
      refresh.notify(['tools']);
      await clock.pass(5);
    }
    await clock.pass(5_000);
    assert.equal(runs.length <= 2, true);
  });

  it('fault 40: slows a server that notifies on every list to a bounded rate', async () => {
    const refresh: ListRefresh = new ListRefresh(
      async (kinds) => {
        await record(kinds);
        refresh.notify(['tools']);
      },
      clock,
      times,
    );
    refresh.notify(['tools']);
    await clock.pass(60_000);
    assert.equal(runs.length <= 18, true, `${runs.length} refreshes in a minute`);
    assert.equal((runs.at(-1)?.at ?? 0) - (runs.at(-2)?.at ?? 0), times.mostGapMs);
    refresh.dispose();
    const before = runs.length;
    await clock.pass(60_000);
    assert.equal(runs.length, before);
  });

  it('refreshes again after a change during a refresh', async () => {
    let finish = (): void => undefined;
    const refresh = new ListRefresh(
      (kinds) => {
        void record(kinds);
        return new Promise((resolve) => {
          finish = resolve;
        });
      },
      clock,
      times,
    );
    refresh.notify(['tools']);
    await clock.pass(100);
    refresh.notify(['prompts']);
    await clock.pass(5_000);
    assert.equal(runs.length, 1);
    finish();
    await new Promise(setImmediate);
    await clock.pass(5_000);
    assert.deepEqual(runs.at(-1)?.kinds, ['prompts']);
  });
});
