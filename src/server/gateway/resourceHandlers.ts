import type { Server } from '@modelcontextprotocol/server';
import { assertFirstPage } from '../firstPage';
import { toResourceError } from '../wireErrors';
import type { EndpointContext } from './gatewayTypes';

/** resources/list, resources/templates/list and resources/read of one endpoint; URIs stay as they are (spec: server/resources). */
export function addResourceHandlers(server: Server, endpoint: EndpointContext): void {
  const { view, ports } = endpoint;

  server.setRequestHandler('resources/list', async ({ params }) => {
    assertFirstPage(params);
    return { resources: [...(await endpoint.lists()).resources.items] };
  });

  server.setRequestHandler('resources/templates/list', async ({ params }) => {
    assertFirstPage(params);
    return { resourceTemplates: [...(await endpoint.lists()).templates.items] };
  });

  server.setRequestHandler('resources/read', async ({ params }, context) => {
    try {
      return await endpoint.relay(server, context, (options) => ports.hub.readResource(view.id, params.uri, options));
    } catch (error) {
      throw toResourceError(error, view.definition.key, params.uri);
    }
  });
}
