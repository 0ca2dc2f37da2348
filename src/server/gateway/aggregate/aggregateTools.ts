import { ProtocolError, ProtocolErrorCode, type Server, type Tool } from '@modelcontextprotocol/server';
import { quoted } from '../../../base/quoted';
import { TimeSlices } from '../../../base/timeSlices';
import type { AgentClient } from '../../serverTypes';
import { isWireError } from '../../wireErrors';
import { presentableResult } from '../presentableResult';
import { relayed } from '../relayed';
import { failedCall, offeredTool } from '../toolHandlers';
import type { AggregatePorts, SharedServers } from './aggregateTypes';
import { withGatewayUri } from './contentUris';
import { pageOf } from './pages';

/** tools/list and tools/call over all servers: exposed names, and the person's own approvals (spec: server/tools). */
export function addAggregateTools(
  server: Server,
  client: AgentClient,
  servers: SharedServers,
  ports: AggregatePorts,
): void {
  const { hub } = ports;

  server.setRequestHandler('tools/list', async ({ params }) => {
    const views = new Map((await servers.listed()).map((view) => [view.id, view]));
    const entries = hub.catalog.tools.peek().filter(({ ref }) => views.has(ref.server));
    const { page, ...next } = pageOf(entries, ({ exposedName }) => exposedName, params?.cursor);
    const slices = new TimeSlices();
    const tools: Tool[] = [];
    for (const entry of page) {
      const view = views.get(entry.ref.server);
      tools.push(
        ...(await offeredTool(entry, entry.exposedName, hub.catalog, view !== undefined && ports.isTrusted(view))),
      );
      if (slices.over) {
        await slices.next();
      }
    }
    return { tools, ...next };
  });

  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const entry = hub.catalog.toolByExposedName(params.name);
    const view = entry && servers.all().find(({ id }) => id === entry.ref.server);
    if (entry === undefined || view === undefined) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `There is no tool ${quoted(params.name)}. List the tools again.`,
      );
    }
    try {
      const result = await relayed(server, context, ports.log, (options) =>
        hub.callTool(entry.ref, params.arguments ?? {}, { caller: { kind: 'agent', label: client.label }, ...options }),
      );
      const shown = presentableResult(result, entry.key);
      return { ...shown, content: shown.content.map((part) => withGatewayUri(part, servers.nameOf(view))) };
    } catch (error) {
      if (isWireError(error)) {
        throw error;
      }
      return failedCall(error, entry.key);
    }
  });
}
