import { ProtocolError, ProtocolErrorCode, type ReadResourceResult, type Server } from '@modelcontextprotocol/server';
import { type Disposable, DisposableStore } from '../../../base/disposable';
import { quoted } from '../../../base/quoted';
import type { ServerView } from '../../../core/hubTypes';
import type { AgentClient } from '../../serverTypes';
import { toWireError } from '../../wireErrors';
import { gatewayTemplate, gatewayUri, readGatewayUri } from '../gatewayUris';
import { relayed } from '../relayed';
import type { AggregatePorts, SharedServers } from './aggregateTypes';
import { pageOf } from './pages';

/** resources/list, resources/templates/list and resources/read over all servers (spec: server/resources). */
export function addAggregateResources(
  server: Server,
  client: AgentClient,
  servers: SharedServers,
  ports: AggregatePorts,
): void {
  const { hub } = ports;

  server.setRequestHandler('resources/list', async ({ params }) => {
    const resources = (await servers.listed()).flatMap((view) => {
      const name = servers.nameOf(view);
      return view.lists.peek().resources.items.map((item) => ({ ...item, uri: gatewayUri(name, item.uri) }));
    });
    const { page, ...next } = pageOf(resources, ({ uri }) => uri, params?.cursor);
    return { resources: [...page], ...next };
  });

  server.setRequestHandler('resources/templates/list', async ({ params }) => {
    const templates = (await servers.listed()).flatMap((view) => {
      const name = servers.nameOf(view);
      return view.lists
        .peek()
        .templates.items.map((item) => ({ ...item, uriTemplate: gatewayTemplate(name, item.uriTemplate) }));
    });
    const { page, ...next } = pageOf(templates, ({ uriTemplate }) => uriTemplate, params?.cursor);
    return { resourceTemplates: [...page], ...next };
  });

  server.setRequestHandler('resources/read', async ({ params }, context) => {
    const { view, uri } = findResource(servers, params.uri);
    const asked = { kind: 'resource', what: params.uri, part: undefined } as const;
    const reader = { client, program: server.getClientVersion()?.name };
    try {
      return await ports.ledger.follow(asked, reader, async () => {
        const result = await relayed(server, context, ports.log, (options) => hub.readResource(view.id, uri, options));
        return withGatewayUris(result, servers.nameOf(view));
      });
    } catch (error) {
      throw toWireError(error, view.definition.key);
    }
  });
}

/** Tells of updates of one resource until disposed. Rejects where its server is none of these. */
export function watchAggregate(
  servers: SharedServers,
  { hub }: AggregatePorts,
  gatewayAddress: string,
  changed: () => void,
): Disposable {
  const { view, uri } = findResource(servers, gatewayAddress);
  const store = new DisposableStore();
  store.add(
    hub.onDidUpdateResource((update) => {
      if (update.server === view.id && update.uri === uri) {
        changed();
      }
    }),
  );
  store.add(hub.subscribe(view.id, uri));
  return store;
}

function findResource(servers: SharedServers, address: string): { readonly view: ServerView; readonly uri: string } {
  const named = readGatewayUri(address);
  const view = named && servers.byName(named.key);
  if (named === undefined || view === undefined) {
    throw new ProtocolError(
      ProtocolErrorCode.ResourceNotFound,
      `There is no resource ${quoted(address)}. Resources are named portico://<server>/<URI>; list them again.`,
      { uri: address },
    );
  }
  return { view, uri: named.uri };
}

function withGatewayUris(result: ReadResourceResult, name: string): ReadResourceResult {
  return { ...result, contents: result.contents.map((item) => ({ ...item, uri: gatewayUri(name, item.uri) })) };
}
