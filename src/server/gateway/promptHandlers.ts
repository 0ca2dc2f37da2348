import type { Server } from '@modelcontextprotocol/server';
import { assertFirstPage } from '../firstPage';
import { toWireError } from '../wireErrors';
import type { EndpointContext } from './gatewayTypes';

/** prompts/list and prompts/get of one endpoint (spec: server/prompts). */
export function addPromptHandlers(server: Server, endpoint: EndpointContext): void {
  const { view, ports } = endpoint;
  const { key } = view.definition;

  server.setRequestHandler('prompts/list', async ({ params }) => {
    assertFirstPage(params);
    return { prompts: [...(await endpoint.lists()).prompts.items] };
  });

  server.setRequestHandler('prompts/get', async ({ params }, context) => {
    try {
      return await endpoint.relay(server, context, (options) =>
        ports.hub.getPrompt(view.id, params.name, params.arguments ?? {}, options),
      );
    } catch (error) {
      throw toWireError(error, key);
    }
  });
}
