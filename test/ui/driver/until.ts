import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { setTimeout as delay } from 'node:timers/promises';

/** A wait for a state costs nothing where it comes; machines are slow that run others' tests too. */
export const patienceMilliseconds = 30_000;

/** Waits for what a locator alone cannot tell; `state` names it when it does not come. */
export async function until(state: string, reached: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + patienceMilliseconds;
  while (!(await reached())) {
    if (Date.now() > deadline) {
      throw new Error(`Waited ${patienceMilliseconds / 1000} s for ${state}.`);
    }
    await delay(50);
  }
}

/** Waits until what is read is equal to `expected`; fails with the difference. */
export async function untilEqual<T>(read: () => T | Promise<T>, expected: T): Promise<void> {
  const deadline = Date.now() + patienceMilliseconds;
  for (;;) {
    const actual = await read();
    if (isDeepStrictEqual(actual, expected)) {
      return;
    }
    if (Date.now() > deadline) {
      assert.deepEqual(actual, expected);
    }
    await delay(50);
  }
}
