import type { Locator, Page } from 'playwright-core';
import { until, untilEqual } from './until';
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

  /**
   * Opens the centre, where a notification that contains `text` is then in sight. The centre closes with the last
   * notification in it, also when the wanted one comes right after that.
   */
  async find(text: string | RegExp): Promise<Locator> {
    const item = this.center.locator('.notification-list-item').filter({ hasText: text }).first();
    await until(`a notification ${String(text)}`, async () => (await this.show()) && item.isVisible());
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
    await until('the notification centre', () => this.show());
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

  /** Whether it is open now. */
  private async show(): Promise<boolean> {
    if (!(await this.center.isVisible())) {
      await this.workbench.execute('notifications.showList');
    }
    return this.center.isVisible();
  }

  /** The next Escape would close the centre, and not what it is meant for. */
  private async hide(): Promise<void> {
    await this.workbench.execute('notifications.hideList');
    await this.center.waitFor({ state: 'detached' });
  }
}
