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
  it('lets the limit run at once and goes on with what is urgent by then', async () => {
    const limiter = new Limiter(1);
    const seen: string[] = [];
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const running = limiter.run(() => gate);
    const late = limiter.run(async () => void seen.push('late'));
    const urgent = limiter.run(async () => void seen.push('urgent'), { urgent: true });
    const place = { urgent: false };
    const promoted = limiter.run(async () => void seen.push('promoted'), place);
    place.urgent = true;
    open();
    await Promise.all([running, late, urgent, promoted]);
    assert.deepEqual(seen, ['urgent', 'promoted', 'late']);
  });

  it('lets the next one in when a step leaves before it is over', async () => {
    const limiter = new Limiter(1);
    let end = (): void => undefined;
    const slow = limiter.run((leave) => {
      leave();
      return new Promise<void>((resolve) => (end = resolve));
    });
    await limiter.run(async () => undefined);
    end();
    await slow;
    // The place was given back once.
    const seen: string[] = [];
    let open = (): void => undefined;
    const first = limiter.run(() => new Promise<void>((resolve) => (open = resolve)));
    const second = limiter.run(async () => void seen.push('second'));
    assert.deepEqual(seen, []);
    open();
    await Promise.all([first, second]);
    assert.deepEqual(seen, ['second']);
  });
});
