import type { ElicitResult, StandardSchemaV1 } from '@modelcontextprotocol/client';
import { toDisposable } from '../../base/disposable';
import type { LogFactory } from '../../base/log';
import { Sequencer } from '../../base/sequencer';
import type { ClientFeature } from '../connections/connectionTypes';
import type { ElicitationUi, SchemaCheck } from './clientFeatureTypes';
import type { Question } from './readElicitation';

/** Reads what servers send, in place of the SDK's strict schema; loaded with the first question. */
const params: StandardSchemaV1<unknown, Question> = {
  '~standard': {
    version: 1,
    vendor: 'portico',
    validate: async (value) => (await import('./readElicitation')).readElicitation(value),
  },
};

/**
 * Elicitation in form mode (spec: client/elicitation). The SDK sends the stateless era's `input_required` to the same
 * handler.
 */
export function elicitationFeature(ui: ElicitationUi, checkSchema: SchemaCheck, logs: LogFactory): ClientFeature {
  return {
    capabilities: { elicitation: { form: {} } },
    attach(client, server, questions) {
      const gone = new AbortController();
      const turns = new Sequencer();
      client.setRequestHandler(
        'elicitation/create',
        { params },
        async (question, { mcpReq }): Promise<ElicitResult> => {
          const over = questions.untilOver();
          if (!over) {
            logs.forServer(server.key).warn('It asked the person something while nobody used it; nobody was asked.');
            return { action: 'cancel' };
          }
          const signal = AbortSignal.any([mcpReq.signal, gone.signal, over]);
          const { answerElicitation } = await import('./answerElicitation');
          return turns.run(() => answerElicitation(question, server, ui, checkSchema, signal));
        },
      );
      return toDisposable(() => {
        gone.abort();
        client.removeRequestHandler('elicitation/create');
      });
    },
  };
}
