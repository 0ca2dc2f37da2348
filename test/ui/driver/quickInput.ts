import type { Locator, Page } from 'playwright-core';
import { restMouse } from './restMouse';
import { until } from './until';

/** The box at the top of the window: palette, picks and inputs. */
export class QuickInput {
  readonly widget: Locator;
  readonly input: Locator;
  readonly rows: Locator;

  constructor(private readonly page: Page) {
    this.widget = page.locator('.quick-input-widget:visible');
    this.input = this.widget.locator('.quick-input-box input');
    this.rows = this.widget.locator('.quick-input-list .monaco-list-row');
  }

  /** Replaces the text of the box. */
  async type(text: string): Promise<void> {
    await this.input.waitFor();
    await this.input.fill(text);
  }

  /** Chooses the row whose label contains `label`; waits until the list has it. */
  async pick(label: string): Promise<void> {
    await this.click(this.row(label));
  }

  /** Chooses the row that says `text` beside its label or below it. */
  async pickWith(text: string, label = ''): Promise<void> {
    await this.click(this.row(label).filter({ hasText: text }));
  }

  row(label: string): Locator {
    return this.rows.filter({ has: this.page.locator('.label-name', { hasText: label }) });
  }

  /** Goes to a row by the keyboard, and waits until it is the one that the next key is for. */
  async focus(label: string): Promise<void> {
    const row = this.row(label).first();
    await row.waitFor();
    // Where several rows can be chosen the keyboard leaves the box for the list.
    await this.widget.locator(':focus').waitFor();
    await until(`the keyboard on ${label}`, async () => {
      if (await row.and(this.page.locator('.focused')).isVisible()) {
        return true;
      }
      await this.page.keyboard.press('ArrowDown');
      return false;
    });
  }

  /** Ticks or unticks a row of a list where several can be chosen, by the keyboard. */
  async tick(label: string): Promise<void> {
    await this.focus(label);
    const row = this.row(label).first();
    const before = await row.getAttribute('aria-checked');
    await this.page.keyboard.press('Space');
    await until(`${label} ticked or not`, async () => (await row.getAttribute('aria-checked')) !== before);
  }

  /** Presses Enter in the box. */
  async accept(): Promise<void> {
    await this.input.press('Enter');
  }

  async cancel(): Promise<void> {
    await this.input.press('Escape');
    await this.widget.waitFor({ state: 'hidden' });
  }

  /** Waits for a step by its title, so that the next key does not go to the step before. */
  async waitForTitle(title: string): Promise<void> {
    await this.widget.locator('.quick-input-title', { hasText: title }).waitFor();
  }

  /** Waits for what the empty box says. */
  async waitForPlaceholder(text: string): Promise<void> {
    await this.widget.locator(`input[placeholder*=${JSON.stringify(text)}]`).waitFor();
  }

  /** Waits for the line under the box. */
  async waitForMessage(text: string | RegExp): Promise<void> {
    await this.widget.locator('.quick-input-message', { hasText: text }).waitFor();
  }

  /** Labels of the rows in sight. */
  labels(): Promise<string[]> {
    return this.rows.locator('.label-name').allInnerTexts();
  }

  async isSecret(): Promise<boolean> {
    return (await this.input.getAttribute('type')) === 'password';
  }

  private async click(rows: Locator): Promise<void> {
    await restMouse(this.page);
    await rows.first().click();
  }
}
