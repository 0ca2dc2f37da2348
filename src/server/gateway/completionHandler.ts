import type { Server } from '@modelcontextprotocol/server';
import { toWireError } from '../wireErrors';
import type { EndpointContext } from './gatewayTypes';

/** completion/complete of one endpoint, for arguments of prompts and of templates (spec: server/utilities/completion). */
export function addCompletionHandler(server: Server, endpoint: EndpointContext): void {
  const { view, ports } = endpoint;

  server.setRequestHandler('completion/complete', async ({ params }, context) => {
    const { ref, argument } = params;
    try {
      return await endpoint.relay(server, context, (options) =>
        ports.hub.complete(
          view.id,
          ref.type === 'ref/prompt' ? { type: ref.type, name: ref.name } : { type: ref.type, uri: ref.uri },
          argument,
          params.context?.arguments,
          options,
        ),
      );
    } catch (error) {
      throw toWireError(error, view.definition.key);
    }
  });
}
