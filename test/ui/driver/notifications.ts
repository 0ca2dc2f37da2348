import type { Locator, Page } from 'playwright-core';
import { untilEqual } from './until';
import type { Workbench } from './workbench';

/** Notifications, in the notification centre (always) and as toasts (without the smoke-test driver only). */
export class Notifications {
  readonly toasts: Locator;

  constructor(
    private readonly page: Page,
    private readonly workbench: Pick<Workbench, 'execute'>,
  ) {
    this.toasts = page.locator('.notification-toast');
  }

  /** Opens the centre and waits for a notification that contains `text`. */
  async find(text: string | RegExp): Promise<Locator> {
    await this.workbench.execute('notifications.showList');
    const item = this.page.locator('.notifications-center .notification-list-item').filter({ hasText: text }).first();
    await item.waitFor();
    return item;
  }

  /** Presses a button of the notification that contains `text`. */
  async press(text: string | RegExp, button: string): Promise<void> {
    const item = await this.find(text);
    await item.hover();
    await item.locator('.monaco-button', { hasText: button }).click();
  }

  /** Texts of all notifications in the centre. */
  async texts(): Promise<string[]> {
    await this.workbench.execute('notifications.showList');
    return this.page.locator('.notifications-center .notification-list-item-message').allInnerTexts();
  }

  /** Waits until none is left: what tells of something that goes on is there for a moment after its end. */
  async waitForNone(): Promise<void> {
    await untilEqual(() => this.texts(), []);
  }

  async clear(): Promise<void> {
    await this.workbench.execute('notifications.clearAll');
  }
}
