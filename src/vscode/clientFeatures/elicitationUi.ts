import type { ElicitResult } from '@modelcontextprotocol/client';
import type { ReadonlySignal } from '@preact/signals-core';
import { env, type Uri } from 'vscode';
import type {
  ElicitationRequest,
  ElicitationUi,
  Visit,
  VisitRequest,
} from '../../core/clientFeatures/clientFeatureTypes';
import { FormPanels } from '../interop/formPanel';
import { plainLine } from '../interop/text';
import { secretWarning } from './secretFields';
import { suitsCaller } from './suitsCaller';

const noFields = { type: 'object' };

/**
 * Asks what a server wants to know in a form: sending it accepts, its own button declines, closing it cancels. What a
 * call of the editor's chat led to is asked there, where it is simple enough and the person wants so.
 */
export class ElicitationForms implements ElicitationUi {
  private readonly forms: FormPanels;

  constructor(
    extensionUri: Uri,
    private readonly where: ReadonlySignal<'caller' | 'portico'>,
  ) {
    this.forms = new FormPanels(extensionUri);
  }

  async ask(request: ElicitationRequest, signal: AbortSignal): Promise<ElicitResult> {
    const { server, message, schema, caller, check } = request;
    const who = plainLine(server.id, 60);
    const warning = secretWarning(who, message, schema);
    if (caller?.ask && this.where.peek() === 'caller' && warning === undefined && suitsCaller(schema)) {
      try {
        return await caller.ask(signal);
      } catch {
        // The caller could not be asked: the person is asked here, unless nobody waits any more.
        if (signal.aborted) {
          return { action: 'cancel' };
        }
      }
    }
    const title = `${who} asks`;
    caller?.tell(`Waiting for you in “${title}”`);
    return new Promise((resolve) => {
      const form = this.forms.show({
        key: server.id,
        title,
        heading: `The server “${who}” asks`,
        from: 'Your answer goes to this server. Nothing is sent before you choose Send.',
        about: reasonOf(message),
        schema,
        submitLabel: 'Send',
        submit: async (content) => {
          const problem = await check(content);
          if (!problem) {
            resolve({ action: 'accept', content: content as ElicitResult['content'] });
          }
          return problem;
        },
        question: {
          ...(warning === undefined ? {} : { warning }),
          other: { label: 'Decline', closes: true, run: () => resolve({ action: 'decline' }) },
          closed: () => resolve({ action: 'cancel' }),
        },
      });
      closeOn(signal, form);
    });
  }

  visit(request: VisitRequest, signal: AbortSignal): Promise<Visit> {
    const { server, message, page, caller } = request;
    const who = plainLine(server.id, 60);
    const title = `${who} asks`;
    caller?.tell(`Waiting for you in “${title}”: a page is to be opened`);
    return new Promise((resolve) => {
      const form = this.forms.show({
        key: keyOfVisit(server.id),
        title,
        heading: `The server “${who}” asks you to open a page`,
        from: 'What you do on the page stays between you and the page. Nothing is opened before you choose Open Page.',
        about: reasonOf(message),
        schema: noFields,
        submitLabel: 'Open Page',
        submit: async () => {
          if (!(await openPage(page.url))) {
            return { code: 'CANCELLED', message: 'The page was not opened.' };
          }
          let settle: (through: boolean) => void = () => undefined;
          const over = new Promise<boolean>((done) => (settle = done));
          // First: the next form takes the place of this one, which counts as closed then.
          resolve({ action: 'accept', over });
          this.showWaiting(request, signal, settle);
          return undefined;
        },
        question: {
          page,
          ...(page.warnings.length === 0 ? {} : { warning: page.warnings.join('\n') }),
          other: { label: 'Decline', closes: true, run: () => resolve({ action: 'decline' }) },
          closed: () => resolve({ action: 'cancel' }),
        },
      });
      closeOn(signal, form);
    });
  }

  /** Takes the place of the question, so that the person finds the page again, and the way on. */
  private showWaiting(
    { server, page, retries }: VisitRequest,
    signal: AbortSignal,
    settle: (through: boolean) => void,
  ): void {
    if (signal.aborted) {
      return;
    }
    const who = plainLine(server.id, 60);
    const form = this.forms.show({
      key: keyOfVisit(server.id),
      title: `${who} waits`,
      heading: `The server “${who}” waits for you`,
      from: 'The page was opened in your browser.',
      about: retries
        ? 'When you are through with it, choose Retry: then the server is asked again for what it could not do.'
        : 'The server goes on by itself when you are through with it.',
      schema: noFields,
      submitLabel: retries ? 'Retry' : 'Close',
      submit: async () => {
        settle(true);
        return undefined;
      },
      question: {
        page,
        other: { label: 'Open Page Again', closes: false, run: () => void openPage(page.url) },
        closed: () => settle(false),
      },
    });
    closeOn(signal, form);
  }
}

function reasonOf(message: string): string {
  return message.trim() === '' ? 'It gives no reason.' : message;
}

/** Beside the key of the server's forms: it may ask while a page is still open. */
function keyOfVisit(server: string): string {
  return `visit:${server}`;
}

function closeOn(signal: AbortSignal, form: { dispose(): void }): void {
  if (signal.aborted) {
    form.dispose();
  } else {
    signal.addEventListener('abort', () => form.dispose(), { once: true });
  }
}

/** Handed over as text, which the editor takes too: a `Uri` is encoded anew, and the address would not be the one shown. */
async function openPage(url: string): Promise<boolean> {
  return env.openExternal(url as unknown as Uri);
}
