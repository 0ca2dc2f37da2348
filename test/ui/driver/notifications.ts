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

  /** Waits for a notification that contains `text`. */
  async waitFor(text: string | RegExp): Promise<void> {
    await this.find(text);
    await this.hide();
  }

  /** Opens the centre, where a notification that contains `text` is then in sight. */
  async find(text: string | RegExp): Promise<Locator> {
    await this.workbench.execute('notifications.showList');
    const item = this.center.locator('.notification-list-item').filter({ hasText: text }).first();
    await item.waitFor();
    return item;
  }

  /** Presses a button of the notification that contains `text`. */
  async press(text: string | RegExp, button: string): Promise<void> {
    const item = await this.find(text);
    await item.hover();
    await item.locator('.monaco-button', { hasText: button }).click();
    await this.hide();
  }

  /** Texts of all notifications. */
  async texts(): Promise<string[]> {
    await this.workbench.execute('notifications.showList');
    await this.center.waitFor();
    const texts = await this.center.locator('.notification-list-item-message').allInnerTexts();
    await this.hide();
    return texts;
  }

  /** Waits until none is left: what tells of something that goes on is there for a moment after its end. */
  async waitForNone(): Promise<void> {
    await untilEqual(() => this.texts(), []);
  }

  async clear(): Promise<void> {
    await this.workbench.execute('notifications.clearAll');
  }

  private get center(): Locator {
    return this.page.locator('.notifications-center.visible');
  }

  /** The next Escape would close the centre, and not what it is meant for. */
  private async hide(): Promise<void> {
    await this.workbench.execute('notifications.hideList');
    await this.center.waitFor({ state: 'detached' });
  }
}
