import assert from 'node:assert/strict';
import { increments, paced, progressText } from '../../../../src/vscode/interop/progress';
import { FakeClock } from '../../core/connections/fakeClock';

describe('progress of servers', () => {
  it('is said in words, on one line', () => {
    assert.equal(progressText({ progress: 3 }), '3');
    assert.equal(progressText({ progress: 1 / 3, total: 1 }), '0.33 of 1');
    assert.equal(progressText({ progress: 5, total: 10, message: 'Half\nway' }), 'Half way (5 of 10)');
    assert.equal(progressText({ progress: 5, message: ' ' }), '5');
    assert.equal(progressText({ progress: 5, message: 'Working' }, true), 'Working');
    assert.equal(progressText({ progress: 5, total: 10, message: 'x'.repeat(1_000) }).length < 150, true);
  });

  it('moves a bar forwards only, to its end at most, and not where the end is unknown', () => {
    const step = increments();
    const moved = [
      { progress: 1, total: 4 },
      { progress: 1, total: 4 },
      { progress: 0, total: 4 },
      { progress: 2 },
      { progress: 2, total: 0 },
      { progress: 2, total: -4 },
      { progress: 3, total: 4 },
      { progress: 90, total: 4 },
      { progress: 100, total: 4 },
    ].map((update) => step(update).increment ?? 0);
    assert.deepEqual(moved, [25, 0, 0, 0, 0, 0, 50, 25, 0]);
  });

  it('comes at once, then not faster than people read, and its last word comes', async () => {
    const clock = new FakeClock();
    const seen: string[] = [];
    const pass = paced<number>((value) => seen.push(`${value}@${clock.now()}`), clock);
    for (let value = 0; value < 10_000; value += 1) {
      pass(value);
    }
    assert.deepEqual(seen, ['0@0']);
    await clock.pass(100);
    assert.deepEqual(seen, ['0@0', '9999@100']);
    await clock.pass(1_000);
    pass(7);
    assert.deepEqual(seen.slice(2), ['7@1100']);
  });
});
