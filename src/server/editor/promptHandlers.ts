import { type CompleteResult, ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server';
import { PorticoError } from '../../base/errors';
import { quoted } from '../../base/quoted';
import { assertFirstPage } from '../firstPage';
import { promptPart } from '../readLedger';
import { toWireError } from '../wireErrors';
import type { ClientRequests } from './clientRequests';
import { assertLength, longest } from './inputLimits';
import type { OfferCatalog } from './offerCatalog';
import type { CompletionValues, EditorPrompt } from './offerTypes';

const nothing: CompletionValues = { values: [], total: 0, hasMore: false };

/** prompts/list, prompts/get and completion/complete for one client (spec: server/prompts, server/utilities/completion). */
export function addPromptHandlers(server: Server, requests: ClientRequests, catalog: OfferCatalog, name: string): void {
  const { client } = requests;

  server.setRequestHandler('prompts/list', async ({ params }) => {
    assertFirstPage(params);
    return { prompts: catalog.prompts(client).map(({ definition }) => definition) };
  });

  server.setRequestHandler('prompts/get', async ({ params }, context) => {
    const args = params.arguments ?? {};
    const asked = { kind: 'prompt', what: params.name, file: args['file'], part: promptPart(args) } as const;
    try {
      return await requests.run(asked, context, async (offer) => {
        const prompt = find(params.name);
        Object.entries(args).forEach(([key, value]) => assertLength(key, value, longest.address));
        const missing = prompt.definition.arguments?.find((argument) => argument.required && !args[argument.name]);
        if (missing !== undefined) {
          throw new PorticoError('ARGUMENTS_INVALID', `${missing.name}: it is required by the prompt ${params.name}.`);
        }
        return prompt.get(args, offer);
      });
    } catch (error) {
      throw toWireError(error, name);
    }
  });

  server.setRequestHandler('completion/complete', async ({ params }): Promise<CompleteResult> => {
    const { ref, argument, context } = params;
    try {
      const given = { ...context?.arguments, [argument.name]: argument.value };
      Object.entries(given).forEach(([key, value]) => assertLength(key, value, longest.address));
      const found =
        ref.type === 'ref/prompt'
          ? await find(ref.name).complete(argument.name, argument.value)
          : await ofTemplate(ref.uri, argument, context?.arguments ?? {});
      const { values, total, hasMore } = found ?? nothing;
      return { completion: { values: values.slice(0, 100), total, hasMore } };
    } catch (error) {
      throw toWireError(error, name);
    }
  });

  function find(wanted: string): EditorPrompt {
    const prompt = catalog.prompts(client).find(({ definition }) => definition.name === wanted);
    if (prompt === undefined) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `There is no prompt ${quoted(wanted)}. List the prompts again.`,
      );
    }
    return prompt;
  }

  async function ofTemplate(
    uri: string,
    argument: { readonly name: string; readonly value: string },
    given: Readonly<Record<string, string>>,
  ): Promise<CompletionValues | undefined> {
    const kind = catalog.kinds(client).find((each) => each.templates().some(({ uriTemplate }) => uriTemplate === uri));
    if (kind === undefined) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no resource template ${quoted(uri)}.`);
    }
    return kind.complete(uri, argument.name, argument.value, given);
  }
}
