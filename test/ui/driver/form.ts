import { isDeepStrictEqual } from 'node:util';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { until } from './until';

/** The form of Run Tool, in its editor tab. Fields are found by their argument's place among all of them. */
export class Form {
  constructor(private readonly page: Page) {}

  get frame(): FrameLocator {
    return webviewIn(this.page);
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

  /**
   * Replaces the text of the field that has the keyboard, by keys that the editor leaves to the page: of Ctrl+A it hears
   * too, and selects all once more, which may be after the next key.
   */
  async retype(name: string, text: string): Promise<void> {
    await this.waitForFocus(name);
    const field = this.field(name);
    await this.page.keyboard.press('End');
    for (let left = (await field.inputValue()).length; left > 0; left -= 1) {
      await this.page.keyboard.press('Backspace');
    }
    await this.page.keyboard.type(text);
    await until(`${text} in ${name}`, async () => (await field.inputValue()) === text);
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

/** The content of the webview in sight; there may be others behind it, and one that is about to go. */
export function webviewIn(page: Page): FrameLocator {
  return page.locator('iframe.webview.ready:visible').last().contentFrame().frameLocator('iframe#active-frame');
}
