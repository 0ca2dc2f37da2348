import type { ElicitResult } from '@modelcontextprotocol/client';
import { PorticoError } from '../../base/errors';
import type { ServerDefinition } from '../config/configTypes';
import type { Misfit } from '../policy/policyTypes';
import type { AskingCaller, ElicitationRequest, ElicitationUi, SchemaCheck } from './clientFeatureTypes';
import type { FormQuestion } from './readElicitation';

/** Asks, and lets only an answer through that fits the question. Rejects where one does not. */
export async function answerElicitation(
  { message, schema }: FormQuestion,
  server: ServerDefinition,
  caller: AskingCaller | undefined,
  ui: ElicitationUi,
  checkSchema: SchemaCheck,
  signal: AbortSignal,
): Promise<ElicitResult> {
  if (signal.aborted) {
    return { action: 'cancel' };
  }
  const check: ElicitationRequest['check'] = async (content) => {
    const misfit = unsendable(content) ?? (await checkSchema(schema, content, `a question of ${server.key}`));
    return (
      misfit && {
        code: 'ARGUMENTS_INVALID',
        message: `The answer to "${server.key}" does not fit and was not sent: ${misfit.sentence}.`,
        faults: misfit.faults,
      }
    );
  };
  const withdrawn = new Promise<ElicitResult>((resolve) => {
    signal.addEventListener('abort', () => resolve({ action: 'cancel' }), { once: true });
  });
  const request = { server, message, schema, check, ...(caller ? { caller } : {}) };
  const { action, content = {} } = await Promise.race([ui.ask(request, signal), withdrawn]);
  if (action !== 'accept') {
    return { action };
  }
  const problem = await check(content);
  if (problem) {
    throw new PorticoError('ARGUMENTS_INVALID', problem.message, { server: server.key });
  }
  return { action, content };
}

/** An answer is flat: text, numbers, true or false, and lists of text (spec: schema, ElicitResult). */
function unsendable(content: Readonly<Record<string, unknown>>): Misfit | undefined {
  const odd = Object.entries(content).filter(([, value]) => !isSendable(value));
  const reason = 'must be text, a number, true, false or a list of texts';
  return odd.length === 0
    ? undefined
    : {
        sentence: odd.map(([name]) => `${name} ${reason}`).join('; '),
        faults: odd.map(([name]) => ({
          path: `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
          message: reason,
        })),
      };
}

function isSendable(value: unknown): boolean {
  return Array.isArray(value)
    ? value.every((item) => typeof item === 'string')
    : ['string', 'number', 'boolean'].includes(typeof value);
}
