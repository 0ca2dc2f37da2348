import { isDeepStrictEqual } from 'node:util';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { until } from './until';

/** The form of Run Tool, in its editor tab. Fields are found by their argument's place among all of them. */
export class Form {
  constructor(private readonly page: Page) {}

  get frame(): FrameLocator {
    return this.page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
  }

  /** The control of an argument, by its name as the reader says it or, where it has no title, its key. */
  field(name: string): Locator {
    return this.frame
      .locator('.field')
      .filter({ has: this.label(name) })
      .locator('input, select, textarea, button')
      .first();
  }

  /** Waits until the keyboard is in the field. */
  async waitForFocus(name: string): Promise<void> {
    const field = this.frame.locator('.field').filter({ has: this.label(name) });
    await field.locator(':focus').first().waitFor();
  }

  async errorOf(name: string): Promise<string> {
    const error = this.frame
      .locator('.field')
      .filter({ has: this.label(name) })
      .locator('.error');
    await error.waitFor();
    return error.innerText();
  }

  /** Waits until the form says that it will send `args`. */
  async waitForPreview(args: unknown): Promise<void> {
    const preview = this.frame.locator('#preview');
    await until(`arguments ${JSON.stringify(args)}`, async () =>
      isDeepStrictEqual(JSON.parse(await preview.innerText()), args),
    );
  }

  /** What a screen reader finds. */
  tree(): Promise<string> {
    return this.frame.locator('#fields').ariaSnapshot();
  }

  private label(name: string): Locator {
    return this.frame.locator('label, legend').locator('span').getByText(name, { exact: true });
  }
}
