import { Server, type ServerCapabilities, type ServerContext } from '@modelcontextprotocol/server';
import type { RequestOptions, ServerLists } from '../../core/connections/connectionTypes';
import type { ServerView } from '../../core/hubTypes';
import type { EndpointOffers } from '../endpoint/endpointTypes';
import { chatTitle } from './chatTitle';
import { addCompletionHandler } from './completionHandler';
import { FirstSight } from './firstSight';
import type { EndpointContext, EndpointPorts } from './gatewayTypes';
import { addPromptHandlers } from './promptHandlers';
import { relayed } from './relayed';
import { addResourceHandlers } from './resourceHandlers';
import { addToolHandlers } from './toolHandlers';

/**
 * One upstream server as an MCP server of its own for the editor's chat. It answers `initialize` and every list from
 * what is known, so that a server that is stopped, dead or hanging costs nothing; calls go through the hub.
 */
export class ServerOffers implements EndpointContext, EndpointOffers {
  private readonly firstSight: FirstSight;

  constructor(
    readonly view: ServerView,
    readonly ports: EndpointPorts,
  ) {
    this.firstSight = new FirstSight(ports);
  }

  /** A new SDK server with all handlers: one per session, or one per request in the stateless era. */
  createServer(): Server {
    const { definition, lastInfo } = this.view;
    const info = lastInfo.peek();
    const keys = this.ports.hub.servers.peek().map((view) => view.definition.key);
    const capabilities = offeredCapabilities(info?.capabilities);
    const server = new Server(
      {
        name: definition.key,
        title: chatTitle(definition.key, keys),
        version: info?.serverInfo.version ?? '0.0.0',
      },
      { capabilities, ...(info?.instructions === undefined ? {} : { instructions: info.instructions }) },
    );
    server.onerror = (error) => this.ports.log.debug(`${definition.key}, for the editor's chat: ${error.message}`);
    addToolHandlers(server, this);
    if (capabilities.prompts) {
      addPromptHandlers(server, this);
    }
    if (capabilities.resources) {
      addResourceHandlers(server, this);
    }
    if (capabilities.completions) {
      addCompletionHandler(server, this);
    }
    return server;
  }

  /** A server that was never seen is started, and waited for at most a second, whoever asks for which list. */
  async lists(): Promise<ServerLists> {
    this.ports.hub.freshen(this.view.id);
    await this.firstSight.of(this.view);
    return this.view.lists.peek();
  }

  relay<T>(server: Server, context: ServerContext, run: (options: RequestOptions) => Promise<T>): Promise<T> {
    return relayed(server, context, this.ports.log, run);
  }
}

/** What the upstream server has; of a server that was never seen, all that it may turn out to have. */
function offeredCapabilities(upstream: ServerCapabilities | undefined): ServerCapabilities {
  return {
    tools: { listChanged: true },
    ...(upstream === undefined || upstream.prompts ? { prompts: { listChanged: true } } : {}),
    ...(upstream === undefined || upstream.resources ? { resources: { listChanged: true } } : {}),
    ...(upstream === undefined || upstream.completions ? { completions: {} } : {}),
    logging: {},
  };
}
