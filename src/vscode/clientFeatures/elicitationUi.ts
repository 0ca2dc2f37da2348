import type { ElicitResult } from '@modelcontextprotocol/client';
import type { Uri } from 'vscode';
import type { ElicitationRequest, ElicitationUi } from '../../core/clientFeatures/clientFeatureTypes';
import { FormPanels } from '../interop/formPanel';
import { plainLine } from '../interop/text';
import { secretWarning } from './secretFields';

/** Asks what a server wants to know in a form: sending it accepts, its own button declines, closing it cancels. */
export class ElicitationForms implements ElicitationUi {
  private readonly forms: FormPanels;

  constructor(extensionUri: Uri) {
    this.forms = new FormPanels(extensionUri);
  }

  ask({ server, message, schema, check }: ElicitationRequest, signal: AbortSignal): Promise<ElicitResult> {
    const who = plainLine(server.id, 60);
    const warning = secretWarning(who, message, schema);
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => this.forms.close(server.id), { once: true });
      this.forms.show({
        key: server.id,
        title: `${who} asks`,
        heading: `The server “${who}” asks`,
        from: 'Your answer goes to this server. Nothing is sent before you choose Send.',
        about: message.trim() === '' ? 'It gives no reason.' : message,
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
          decline: () => resolve({ action: 'decline' }),
          closed: () => resolve({ action: 'cancel' }),
        },
      });
    });
  }
}
