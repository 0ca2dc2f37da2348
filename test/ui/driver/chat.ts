import type { Locator, Page } from 'playwright-core';
import type { ScriptedModel } from './scriptedModel';
import { until } from './until';
import type { Workbench } from './workbench';

/** The chat view. */
export class Chat {
  readonly input: Locator;
  readonly responses: Locator;
  /** What is attached to the message in the box; the editor in sight, which the chat offers by itself, is not. */
  readonly attachments: Locator;

  constructor(
    private readonly page: Page,
    private readonly workbench: Pick<Workbench, 'execute'>,
    private readonly model: ScriptedModel,
  ) {
    this.responses = page.locator('.interactive-session .interactive-item-container.interactive-response');
    // A message that was sent shows its own above it.
    const box = page.locator('.interactive-session .interactive-input-part');
    this.input = box.locator('.monaco-editor').first();
    this.attachments = box.locator('.chat-attached-context-attachment:not(.implicit)');
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
    if (!(await this.isInputEmpty())) {
      // What nobody sent is kept for the next conversation.
      await this.input.click();
      await this.page.keyboard.press('ControlOrMeta+A');
      await this.page.keyboard.press('Delete');
    }
    await this.waitForEmptyInput();
  }

  /**
   * Types a message and sends it; the answer is not waited for. `@portico …` goes to the participant.
   * @returns when it was sent, in milliseconds since 1970
   */
  async send(text: string): Promise<number> {
    await this.input.click();
    await this.page.keyboard.press('ControlOrMeta+A');
    await this.page.keyboard.insertText(text);
    await until(`${text} in the box`, async () => (await this.inputText()) === withoutSpace(text));
    return this.sendInput();
  }

  /** Sends what is in the box. By the button, as a list of completions, which may come at any moment, takes the Enter. */
  async sendInput(): Promise<number> {
    const button = this.page.locator('.interactive-session .chat-execute-toolbar .action-item:not(.disabled)');
    await button.locator('[aria-label^="Send"]').click();
    const sent = Date.now();
    await this.waitForEmptyInput();
    return sent;
  }

  /**
   * Waits until a message is in the box for the person to send: `text`, and what is attached. That `text` may stand there
   * from before: what is attached does not.
   */
  async waitForInput(text: string, ...attached: string[]): Promise<void> {
    for (const name of attached) {
      await this.attachments.filter({ hasText: name }).waitFor();
    }
    await until(`${text} in the box`, async () => (await this.inputText()).includes(withoutSpace(text)));
  }

  /** Waits until the last answer is whole and contains `text`; gives all of it. */
  async waitForAnswer(text: string | RegExp): Promise<string> {
    const whole = this.responses.last().and(this.page.locator(':not(.chat-response-loading)'));
    await whole.filter({ hasText: text }).waitFor();
    return whole.innerText();
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

  private async waitForEmptyInput(): Promise<void> {
    await until(
      'an empty box of the chat',
      async () => (await this.isInputEmpty()) && (await this.attachments.count()) === 0,
    );
  }

  /** Who was asked last stays in the box: `@portico ` in it tells nothing of what was done since. */
  private async isInputEmpty(): Promise<boolean> {
    return /^(@\w+)?$/.test(await this.inputText());
  }

  private async inputText(): Promise<string> {
    return withoutSpace((await this.input.locator('.view-lines').allInnerTexts()).join(''));
  }
}

/** The editor draws spaces as others, and breaks lines. */
function withoutSpace(text: string): string {
  return text.replaceAll(/\s/g, '');
}
