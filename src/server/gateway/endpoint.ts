import { Server, type ServerCapabilities, type ServerContext } from '@modelcontextprotocol/server';
import type { ProgressUpdate, RequestOptions, ServerLists } from '../../core/connections/connectionTypes';
import type { ServerView } from '../../core/hubTypes';
import { chatAnswerer } from './chatAnswerer';
import { chatTitle } from './chatTitle';
import { addCompletionHandler } from './completionHandler';
import type { EndpointContext, EndpointPorts } from './gatewayTypes';
import { addPromptHandlers } from './promptHandlers';
import { addResourceHandlers } from './resourceHandlers';
import { addToolHandlers } from './toolHandlers';

/** How long the lists wait for a server that was never seen, all together, in milliseconds. */
const firstSightMs = 1_000;

/**
 * One upstream server as an MCP server of its own for the editor's chat. It answers `initialize` and every list from
 * what is known, so that a server that is stopped, dead or hanging costs nothing; calls go through the hub.
 */
export class Endpoint implements EndpointContext {
  private firstSight: { readonly launch: string; readonly waited: Promise<void> } | undefined;

  constructor(
    readonly view: ServerView,
    readonly ports: EndpointPorts,
  ) {}

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
    if (wasNeverSeen(this.view.lists.peek())) {
      await this.startOnce();
    }
    return this.view.lists.peek();
  }

  /** Once per launch: a server that failed is not started again by every message, but an edited entry is. */
  private startOnce(): Promise<void> {
    const launch = this.view.definition.launchDigest;
    if (this.firstSight?.launch !== launch) {
      const started = this.ports.hub
        .start(this.view.id, { interactive: false, forUse: true })
        .catch((error: unknown) => this.ports.log.info(`Not started for the editor's chat: ${String(error)}`));
      this.firstSight = { launch, waited: Promise.race([started, this.wait(firstSightMs)]) };
    }
    return this.firstSight.waited;
  }

  async relay<T>(server: Server, context: ServerContext, run: (options: RequestOptions) => Promise<T>): Promise<T> {
    const { progressToken, ...meta } = context.mcpReq._meta ?? {};
    let told: Promise<unknown> = Promise.resolve();
    let last: ProgressUpdate = { progress: 0 };
    const report = (update: ProgressUpdate): void => {
      last = update;
      if (progressToken === undefined) {
        return;
      }
      const sent = context.mcpReq
        .notify({ method: 'notifications/progress', params: { progressToken, ...update } })
        .catch((error: unknown) => this.ports.log.debug(`Progress was not passed on: ${String(error)}`));
      told = Promise.all([told, sent]);
    };
    // Progress must grow (spec: basic/utilities/progress): by less than any server counts in.
    const tell = (message: string): void => report({ ...last, progress: last.progress + 0.001, message });
    try {
      return await run({
        signal: context.mcpReq.signal,
        answerer: chatAnswerer(server, context, tell),
        ...(Object.keys(meta).length === 0 ? {} : { meta }),
        ...(progressToken === undefined ? {} : { onProgress: report }),
      });
    } finally {
      await told;
    }
  }

  private wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.ports.clock.after(ms, resolve);
    });
  }
}

function wasNeverSeen(lists: ServerLists): boolean {
  return [lists.tools, lists.resources, lists.templates, lists.prompts].every((list) => list.from === 'none');
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
