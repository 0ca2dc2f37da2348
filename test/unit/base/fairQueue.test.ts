import assert from 'node:assert/strict';
import { PorticoError } from '../../../src/base/errors';
import { FairQueue } from '../../../src/base/fairQueue';

describe('FairQueue', () => {
  const never = new AbortController().signal;
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  beforeEach(() => {
    begun.length = 0;
    ends.clear();
  });

  /** Work that ends when the test says so. */
  const work = (name: string) => (): Promise<string> => {
    begun.push(name);
    return new Promise((resolve) => ends.set(name, () => resolve(name)));
  };
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it('lets nobody have more than one at a time, and gives turns to those who wait', async () => {
    const queue = new FairQueue(2);
    const all = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((name) => queue.run(name.slice(0, 1), never, work(name)));
    await settle();
    assert.deepEqual(begun, ['a1', 'b1']);
    for (const name of ['a1', 'b1', 'c1', 'a2', 'b2', 'a3']) {
      ends.get(name)?.();
      await settle();
    }
    assert.deepEqual(begun, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
    assert.deepEqual(await Promise.all(all), ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']);
  });

  it('forgets who leaves before their turn, and goes on after work that failed', async () => {
    const queue = new FairQueue(1);
    const leaving = new AbortController();
    const failing = queue.run('a', never, async () => {
      await settle();
      throw new Error('no');
    });
    const left = queue.run('b', leaving.signal, work('b'));
    const last = queue.run('c', never, work('c'));
    leaving.abort();
    await assert.rejects(left, (error) => PorticoError.is(error, 'CANCELLED'));
    await assert.rejects(failing, /no/);
    await settle();
    assert.deepEqual(begun, ['c']);
    ends.get('c')?.();
    assert.equal(await last, 'c');
    await assert.rejects(queue.run('a', leaving.signal, work('late')), (error) => PorticoError.is(error, 'CANCELLED'));
    assert.deepEqual(begun, ['c']);
  });

  it('keeps no more waiting for one party than it may, whoever else waits', async () => {
    const queue = new FairQueue(1, 2);
    const leaving = new AbortController();
    const [first, second] = ['a1', 'a2'].map((name) => queue.run('a', never, work(name)));
    const left = queue.run('a', leaving.signal, work('a3'));
    await assert.rejects(
      queue.run('a', never, work('a4')),
      (error) => PorticoError.is(error, 'RATE_LIMITED') && /again/.test(error.message),
    );
    const other = queue.run('b', never, work('b1'));
    leaving.abort();
    await assert.rejects(left, (error) => PorticoError.is(error, 'CANCELLED'));
    const next = queue.run('a', never, work('a5'));
    for (const name of ['a1', 'b1', 'a2', 'a5']) {
      await settle();
      ends.get(name)?.();
    }
    assert.deepEqual(await Promise.all([first, second, other, next]), ['a1', 'a2', 'b1', 'a5']);
    assert.deepEqual(begun, ['a1', 'b1', 'a2', 'a5']);
  });
});
