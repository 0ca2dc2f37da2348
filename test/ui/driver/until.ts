import { setTimeout as delay } from 'node:timers/promises';

/** Waits for what a locator alone cannot tell; `state` names it when it does not come. */
export async function until(state: string, reached: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!(await reached())) {
    if (Date.now() > deadline) {
      throw new Error(`Waited 20 s for ${state}.`);
    }
    await delay(50);
  }
}
