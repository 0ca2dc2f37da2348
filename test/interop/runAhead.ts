import { Limiter } from '../../src/base/sequencer';

/**
 * Lets tests that run one after another use two cores: asking for a step runs it, and beside it the steps that come next,
 * two at a time. `settled` waits for those that nobody asked for.
 */
export function runAhead<K, T>(
  steps: readonly K[],
  run: (step: K) => Promise<T>,
): { readonly result: (step: K) => Promise<T>; readonly settled: () => Promise<unknown> } {
  const limiter = new Limiter(2);
  const results = new Map<K, Promise<T>>();
  const begin = (step: K): Promise<T> => {
    const result = results.get(step) ?? limiter.run(() => run(step));
    results.set(step, result);
    // A failure belongs to the test that asks for this step, if one does.
    result.catch(() => undefined);
    return result;
  };
  return {
    result: (step) => {
      const result = begin(step);
      const next = steps.indexOf(step) + 1;
      steps.slice(next, next + 2).forEach(begin);
      return result;
    },
    settled: () => Promise.allSettled(results.values()),
  };
}
