import assert from 'node:assert/strict';
import { Limiter, Sequencer } from '../../../src/base/sequencer';

describe('Sequencer', () => {
  it('runs steps one after another and goes on after a failure', async () => {
    const seen: string[] = [];
    const sequencer = new Sequencer();
    const first = sequencer.run(async () => {
      await Promise.resolve();
      seen.push('first');
      throw new Error('no');
    });
    const second = sequencer.run(async () => {
      seen.push('second');
      return 2;
    });
    await assert.rejects(first, /no/);
    assert.equal(await second, 2);
    assert.deepEqual(seen, ['first', 'second']);
  });
});

describe('Limiter', () => {
  it('lets the limit run at once and the urgent go first', async () => {
    const limiter = new Limiter(1);
    const seen: string[] = [];
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const running = limiter.run(() => gate);
    const late = limiter.run(async () => void seen.push('late'));
    const urgent = limiter.run(async () => void seen.push('urgent'), true);
    open();
    await Promise.all([running, late, urgent]);
    assert.deepEqual(seen, ['urgent', 'late']);
  });
});
