import type { Page } from 'playwright-core';

/** Takes the mouse away from rows: a tooltip would come where it rests, and lie over the rows beside that one. */
export async function restMouse(page: Page): Promise<void> {
  await page.mouse.move(0, 0);
  await page.locator('.workbench-hover').waitFor({ state: 'detached' });
}
