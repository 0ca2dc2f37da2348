import type { Page } from 'playwright-core';
import { until } from './until';

/**
 * Takes the mouse away from rows: a tooltip would come where it rests, and lie over the rows beside that one. A tooltip
 * that came with the keyboard goes by a key, and this one means nothing to the editor.
 */
export async function restMouse(page: Page): Promise<void> {
  const tooltip = page.locator('.workbench-hover');
  await page.mouse.move(0, 0);
  await until('no tooltip', async () => {
    const isGone = (await tooltip.count()) === 0;
    if (!isGone) {
      await page.keyboard.press('ScrollLock');
    }
    return isGone;
  });
}
