import { ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server';
import { quoted } from '../../../base/quoted';
import { promptPart } from '../../readLedger';
import type { AgentClient } from '../../serverTypes';
import { toWireError } from '../../wireErrors';
import { readGatewayUri } from '../gatewayUris';
import { relayed } from '../relayed';
import type { AggregatePorts, SharedServers } from './aggregateTypes';
import { withGatewayUri } from './contentUris';
import { pageOf } from './pages';
import { type NamedPrompt, namedPrompts } from './promptNames';

/** prompts/list, prompts/get and completion/complete over all servers (spec: server/prompts, server/utilities/completion). */
export function addAggregatePrompts(
  server: Server,
  client: AgentClient,
  servers: SharedServers,
  ports: AggregatePorts,
): void {
  const { hub } = ports;

  server.setRequestHandler('prompts/list', async ({ params }) => {
    await servers.listed();
    const { page, ...next } = pageOf(namedPrompts(servers), ({ name }) => name, params?.cursor);
    return { prompts: page.map(({ name, prompt }) => ({ ...prompt, name })), ...next };
  });

  server.setRequestHandler('prompts/get', async ({ params }, context) => {
    const { view, prompt } = findPrompt(servers, params.name);
    const args = params.arguments ?? {};
    const asked = { kind: 'prompt', what: params.name, part: promptPart(args) } as const;
    const reader = { client, program: server.getClientVersion()?.name };
    try {
      return await ports.ledger.follow(asked, reader, async () => {
        const result = await relayed(server, context, ports.log, (options) =>
          hub.getPrompt(view.id, prompt.name, args, options),
        );
        const messages = result.messages.map((message) => ({
          ...message,
          content: withGatewayUri(message.content, servers.nameOf(view)),
        }));
        return { ...result, messages };
      });
    } catch (error) {
      throw toWireError(error, view.definition.key);
    }
  });

  server.setRequestHandler('completion/complete', async ({ params }, context) => {
    const { ref, argument } = params;
    const target = ref.type === 'ref/prompt' ? promptTarget(servers, ref.name) : templateTarget(servers, ref.uri);
    try {
      return await relayed(server, context, ports.log, (options) =>
        hub.complete(target.view.id, target.ref, argument, params.context?.arguments, options),
      );
    } catch (error) {
      throw toWireError(error, target.view.definition.key);
    }
  });
}

function promptTarget(servers: SharedServers, name: string) {
  const { view, prompt } = findPrompt(servers, name);
  return { view, ref: { type: 'ref/prompt', name: prompt.name } } as const;
}

function templateTarget(servers: SharedServers, address: string) {
  const named = readGatewayUri(address);
  const view = named && servers.byName(named.key);
  if (named === undefined || view === undefined) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no template ${quoted(address)}.`);
  }
  return { view, ref: { type: 'ref/resource', uri: named.uri } } as const;
}

function findPrompt(servers: SharedServers, name: string): NamedPrompt {
  const found = namedPrompts(servers).find((prompt) => prompt.name === name);
  if (found === undefined) {
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `There is no prompt ${quoted(name)}. List the prompts again.`,
    );
  }
  return found;
}
