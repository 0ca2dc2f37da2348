import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { TimeSlices } from '../../../../src/base/timeSlices';
import { LineIntake } from '../../../../src/core/connections/lineIntake';

/** A millisecond passes with every look at the clock; `handled` grows in the microtask after each delivery. */
function traced() {
  const trace = { delivered: [] as unknown[], handled: 0, lag: 0, turns: 0, paused: 0, resumed: 0 };
  let time = 0;
  const intake = new LineIntake(
    (content) => {
      trace.delivered.push(content);
      trace.lag = Math.max(trace.lag, trace.delivered.length - trace.handled);
      queueMicrotask(() => (trace.handled += 1));
    },
    { pause: () => (trace.paused += 1), resume: () => (trace.resumed += 1) },
    new TimeSlices(
      () => (time += 1),
      async () => {
        trace.turns += 1;
        await setImmediate();
      },
    ),
  );
  const chunk = (from: number, to: number): void =>
    intake.chunk(() => {
      for (let id = from; id < to; id += 1) {
        intake.take(JSON.stringify({ jsonrpc: '2.0', method: 'm', params: { id } }));
      }
    });
  const ids = (): readonly unknown[] =>
    (JSON.parse(JSON.stringify(trace.delivered)) as unknown[])
      .flat(3)
      .map((content) => /"id":(\d+)/.exec(JSON.stringify(content))?.[1]);
  return { intake, trace, chunk, ids };
}

const upTo = (count: number): readonly string[] => Array.from({ length: count }, (_, id) => String(id));

describe('line intake', () => {
  it('delivers at once what comes in a turn, up to what a turn may take', async () => {
    const { intake, trace, chunk, ids } = traced();
    chunk(0, 5);
    assert.equal(trace.paused, 0);
    assert.deepEqual(ids(), upTo(5));
    // The same turn: several chunks together may take no longer than one.
    chunk(5, 10);
    chunk(10, 40);
    assert.ok(trace.delivered.length < 12, `${trace.delivered.length} delivered`);
    assert.deepEqual([trace.paused, trace.resumed], [1, 0]);
    await intake.busy;
    assert.deepEqual(ids(), upTo(40));
    assert.deepEqual([trace.paused, trace.resumed], [1, 1]);
    assert.ok(trace.turns >= 3, `${trace.turns} turns`);
  });

  it('begins anew in the next turn', async () => {
    const { intake, chunk, ids } = traced();
    for (let turn = 0; turn < 5; turn += 1) {
      chunk(turn * 8, turn * 8 + 8);
      assert.equal(intake.busy, undefined);
      await setImmediate();
    }
    assert.deepEqual(ids(), upTo(40));
  });

  it('lets what is done about a message count for the slice that it came in', async () => {
    const { intake, trace, chunk } = traced();
    chunk(0, 12);
    await intake.busy;
    trace.lag = 0;
    chunk(12, 400);
    await intake.busy;
    assert.equal(trace.delivered.length, 400);
    // But for those delivered within the chunk itself, each is handled before the next.
    assert.ok(trace.lag <= 12, `${trace.lag} behind`);
  });
});
