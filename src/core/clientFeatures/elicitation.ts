import { anything } from '../../base/anything';
import { toDisposable } from '../../base/disposable';
import type { LogFactory } from '../../base/log';
import type { ClientFeature } from '../connections/connectionTypes';
import type { ElicitationUi, SchemaCheck } from './clientFeatureTypes';
import type { Elicitor } from './elicitor';
import { reader } from './reader';

/** Spec: 2025-11-25 client/elicitation, error handling. */
const pageRequired = -32042;

/**
 * Elicitation (spec: client/elicitation), URL mode where the port can open pages. The stateless era's `input_required`
 * goes to the same handler. What answers is loaded with the first question.
 */
export function elicitationFeature(ui: ElicitationUi, checkSchema: SchemaCheck, logs: LogFactory): ClientFeature {
  const params = reader(async (value) =>
    (await import('./readElicitation')).readElicitation(value, ui.visit ? ['form', 'url'] : ['form']),
  );
  return {
    capabilities: { elicitation: ui.visit ? { form: {}, url: {} } : { form: {} } },
    attach(client, server, questions) {
      const gone = new AbortController();
      const log = logs.forServer(server.key);
      let loading: Promise<Elicitor> | undefined;
      const elicitor = (): Promise<Elicitor> =>
        (loading ??= import('./elicitor').then(({ Elicitor: Loaded }) => new Loaded({ server, ui, checkSchema, log })));
      client.setRequestHandler('elicitation/create', { params }, async (question, { mcpReq }) => {
        const over = questions.untilOver();
        if (!over) {
          log.warn('It asked the person something while nobody used it; nobody was asked.');
          return { action: 'cancel' };
        }
        return (await elicitor()).answer(question, {
          signal: AbortSignal.any([mcpReq.signal, gone.signal, over]),
          over,
          answerer: questions.answererOf(mcpReq.signal),
          retries: client.getProtocolEra() === 'modern',
        });
      });
      client.setNotificationHandler('notifications/elicitation/complete', { params: anything }, async (told) =>
        (await loading)?.complete(told),
      );
      return {
        recover: async (error, { signal, answerer }, times) => {
          if (!ui.visit || !(error instanceof Error && 'code' in error && error.code === pageRequired)) {
            return false;
          }
          const until = signal ? AbortSignal.any([signal, gone.signal]) : gone.signal;
          await (await elicitor()).visitRequired('data' in error ? error.data : undefined, until, answerer, times);
          return true;
        },
        ...toDisposable(() => {
          gone.abort();
          client.removeRequestHandler('elicitation/create');
          client.removeNotificationHandler('notifications/elicitation/complete');
        }),
      };
    },
  };
}
