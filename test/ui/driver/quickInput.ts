import type { Locator, Page } from 'playwright-core';

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
    await this.row(label).first().click();
  }

  row(label: string): Locator {
    return this.rows.filter({ has: this.page.locator('.label-name', { hasText: label }) });
  }

  /** Presses Enter in the box. */
  async accept(): Promise<void> {
    await this.input.press('Enter');
  }

  async cancel(): Promise<void> {
    await this.page.keyboard.press('Escape');
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

  title(): Promise<string> {
    return this.widget.locator('.quick-input-title').innerText();
  }

  /** The line under the box. */
  message(): Promise<string> {
    return this.widget.locator('.quick-input-message').innerText();
  }

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
}
