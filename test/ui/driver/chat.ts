import type { Locator, Page } from 'playwright-core';
import type { ScriptedModel } from './scriptedModel';
import type { Workbench } from './workbench';

/** The chat view. */
export class Chat {
  readonly input: Locator;
  readonly responses: Locator;

  constructor(
    private readonly page: Page,
    private readonly workbench: Pick<Workbench, 'execute'>,
    private readonly model: ScriptedModel,
  ) {
    this.input = page.locator('.interactive-session .interactive-input-part .monaco-editor').first();
    this.responses = page.locator('.interactive-session .interactive-item-container.interactive-response');
  }

  /** Opens the view in a mode, with the scripted model chosen. */
  async open(mode: 'agent' | 'ask' = 'agent'): Promise<void> {
    await this.workbench.execute('workbench.action.chat.open', {
      mode,
      query: '',
      isPartialQuery: true,
      modelSelector: { vendor: 'scripted', id: 'scripted' },
    });
    await this.input.waitFor();
  }

  /** Starts an empty conversation. */
  async clear(): Promise<void> {
    await this.workbench.execute('workbench.action.chat.newChat');
    await this.responses.first().waitFor({ state: 'detached' });
  }

  /** Types a message and sends it; the answer is not waited for. `@portico …` goes to the participant. */
  async send(text: string): Promise<void> {
    await this.input.click();
    await this.page.keyboard.press('ControlOrMeta+A');
    await this.page.keyboard.insertText(text);
    // A list of completions would take the Enter.
    await this.page.keyboard.press('Escape');
    await this.page.keyboard.press('Enter');
  }

  /** Waits until something was written into the box for the person to send. */
  async waitForInput(text: string): Promise<void> {
    await this.input.filter({ hasText: text }).waitFor();
  }

  /** Waits until the last answer contains `text`; gives the whole answer. */
  async waitForAnswer(text: string | RegExp): Promise<string> {
    const last = this.responses.last();
    await last.filter({ hasText: text }).waitFor();
    return last.innerText();
  }

  /** A button of the question that the editor or the participant asks in the answer. */
  confirmationButton(text: string): Locator {
    return this.page
      .locator('.interactive-session')
      .locator('.chat-confirmation-widget2, .chat-confirmation-widget-container, .interactive-response')
      .locator('.monaco-button:visible')
      .filter({ hasText: text })
      .first();
  }

  /** A button of a question that the participant asked in its last answer, counted from 0: each keeps its buttons. */
  approvalButton(text: string, question: number): Locator {
    return this.responses.last().locator('.monaco-button:visible').filter({ hasText: text }).nth(question);
  }

  /** The questions in sight. */
  get confirmations(): Locator {
    return this.page.locator('.interactive-session .chat-confirmation-widget2:visible');
  }

  /** Names of the tools that the last request offered to the model. */
  async offeredTools(): Promise<string[]> {
    const requests = await this.model.requests();
    return requests.findLast(({ tools }) => tools.length > 0)?.tools.map(({ name }) => name) ?? [];
  }
}
