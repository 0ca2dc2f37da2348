import type { ListResourcesResult, Server } from '@modelcontextprotocol/server';
import { assertFirstPage } from '../firstPage';
import { toResourceError, toWireError } from '../wireErrors';
import type { ClientRequests } from './clientRequests';
import type { OfferCatalog } from './offerCatalog';

/** resources/list, resources/templates/list and resources/read for one client (spec: server/resources). */
export function addResourceHandlers(
  server: Server,
  requests: ClientRequests,
  catalog: OfferCatalog,
  name: string,
): void {
  const { client } = requests;

  server.setRequestHandler('resources/list', async ({ params }): Promise<ListResourcesResult> => {
    const kinds = catalog.kinds(client);
    const curated = params?.cursor === undefined ? kinds.flatMap((kind) => kind.curated()) : [];
    const paged = kinds.find((kind) => kind.page !== undefined);
    if (paged === undefined) {
      assertFirstPage(params);
    }
    try {
      const page = await paged?.page?.(params?.cursor);
      return {
        resources: [...curated, ...(page?.resources ?? [])],
        ...(page?.nextCursor === undefined ? {} : { nextCursor: page.nextCursor }),
      };
    } catch (error) {
      throw toWireError(error, name);
    }
  });

  server.setRequestHandler('resources/templates/list', async ({ params }) => {
    assertFirstPage(params);
    return { resourceTemplates: catalog.kinds(client).flatMap((kind) => [...kind.templates()]) };
  });

  server.setRequestHandler('resources/read', async ({ params }, context) => {
    const asked = { kind: 'resource', what: params.uri, part: undefined } as const;
    try {
      return await requests.run(asked, context, (offer) => catalog.kindOf(params.uri, client).read(params.uri, offer));
    } catch (error) {
      throw toResourceError(error, name, params.uri);
    }
  });
}
