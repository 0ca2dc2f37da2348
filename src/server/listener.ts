import { randomBytes } from 'node:crypto';
import { unlinkSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Disposable } from '../base/disposable';
import { toDisposable } from '../base/disposable';
import { PorticoError } from '../base/errors';
import type { Logger } from '../base/log';
import type { LocalAddress } from './localAddress';
import { refuseRequest } from './requestGuard';
import type { AgentClient, ListenerAddress, ListenerLimits, Route } from './serverTypes';
import { ignoreMissing, makePrivateDirectory, removeStaleSockets } from './socketDirectory';

/** Who has the listener's own token. */
const editorChat: AgentClient = { id: 'editor', label: "the editor's chat" };

export const defaultListenerLimits: ListenerLimits = {
  bodyBytes: 16 * 1024 * 1024,
  headersMs: 10_000,
  requestMs: 60_000,
  checkMs: 5_000,
};

/**
 * The one HTTP listener of a window. It listens from the first `start` to `dispose`, on a socket or pipe, or on a
 * loopback port where a socket cannot be made; what gets past its checks goes to the route with the longest prefix.
 */
export class LocalListener implements Disposable {
  /** What a request must carry as `Authorization: Bearer …`. New with every listener, kept in memory alone. */
  readonly token = randomBytes(32).toString('base64url');
  private readonly routes = new Set<Route>();
  private started: Promise<ListenerAddress> | undefined;
  private server: Server | undefined;
  private disposed = false;

  constructor(
    private readonly local: LocalAddress,
    private readonly log: Logger,
    private readonly limits: ListenerLimits = defaultListenerLimits,
    private readonly uid: number | undefined = process.getuid?.(),
  ) {}

  addRoute(route: Route): Disposable {
    this.routes.add(route);
    return toDisposable(() => this.routes.delete(route));
  }

  /** Listens unless it does already. Rejects with LISTENER_FAILED; the next call tries again. */
  start(): Promise<ListenerAddress> {
    this.started ??= this.open().catch((error: unknown) => {
      this.started = undefined;
      throw error;
    });
    return this.started;
  }

  dispose(): void {
    this.disposed = true;
    this.close();
  }

  private close(): void {
    this.server?.close();
    this.server?.closeAllConnections();
    this.server = undefined;
    if (this.started !== undefined && this.local.kind === 'socket') {
      try {
        unlinkSync(this.local.path);
      } catch (error) {
        // Node has removed it already where closing went well.
        ignoreMissing(error);
      }
    }
  }

  private async open(): Promise<ListenerAddress> {
    try {
      return await this.openLocal();
    } catch (error) {
      this.close();
      if (this.disposed) {
        throw error;
      }
      this.log.warn(`${this.local.path} cannot be listened on; using a loopback port instead: ${String(error)}`);
    }
    const server = await this.listen({ host: '127.0.0.1', port: 0 });
    return { kind: 'tcp', host: '127.0.0.1', port: (server.address() as AddressInfo).port };
  }

  private async openLocal(): Promise<ListenerAddress> {
    const { kind, path, directory } = this.local;
    if (directory !== undefined) {
      await makePrivateDirectory(directory, this.uid);
      await removeStaleSockets(directory);
    }
    await this.listen({ path });
    if (kind === 'socket') {
      await chmod(path, 0o600);
    }
    return { kind, path };
  }

  private async listen(where: { path: string } | { host: string; port: number }): Promise<Server> {
    const { headersMs, requestMs, checkMs } = this.limits;
    const server = createServer(
      { headersTimeout: headersMs, requestTimeout: requestMs, connectionsCheckingInterval: checkMs },
      (request, response) => void this.serve(request, response).catch((error) => this.fail(response, error)),
    );
    this.assertOpen();
    await new Promise<void>((resolve, reject) => {
      server.once('error', (cause) => {
        reject(new PorticoError('LISTENER_FAILED', `Portico cannot listen: ${cause.message}.`, { cause }));
      });
      server.listen(where, resolve);
    });
    server.on('error', (error) => this.log.error('The listener failed.', error));
    this.server = server;
    if (this.disposed) {
      this.close();
    }
    this.assertOpen();
    return server;
  }

  private assertOpen(): void {
    if (this.disposed) {
      throw new PorticoError('CANCELLED', 'Portico is closing.', { show: false });
    }
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = refuseRequest(request.headers, this.token);
    if (refusal !== undefined) {
      answerError(
        response,
        refusal.status,
        refusal.message,
        refusal.status === 401 ? { 'www-authenticate': 'Bearer' } : {},
      );
      return;
    }
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    const route = [...this.routes]
      .sort((a, b) => b.prefix.length - a.prefix.length)
      .find((candidate) => path.startsWith(candidate.prefix));
    if (route === undefined) {
      answerError(response, 404, 'Not found.');
      return;
    }
    if (request.method === undefined || !route.methods.includes(request.method)) {
      answerError(response, 405, 'Method not allowed.', { allow: route.methods.join(', ') });
      return;
    }
    const body = request.method === 'POST' ? await readBody(request, this.limits.bodyBytes) : undefined;
    if (body === 'tooLarge') {
      answerError(response, 413, `The request is larger than ${this.limits.bodyBytes} bytes.`, { connection: 'close' });
      return;
    }
    await route.handle({
      request,
      response,
      rest: path.slice(route.prefix.length),
      body: body?.text,
      client: editorChat,
    });
  }

  private fail(response: ServerResponse, error: unknown): void {
    this.log.error('A request to the listener failed.', error);
    if (response.headersSent) {
      response.destroy();
    } else {
      answerError(response, 500, 'Internal error.');
    }
  }
}

/** An error of HTTP as clients of MCP read it: a JSON-RPC error that belongs to no request. */
export function answerError(
  response: ServerResponse,
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
  code = -32_000,
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null }));
}

/** Reads the whole body as UTF-8, or stops as soon as it is too large. */
async function readBody(request: IncomingMessage, limit: number): Promise<{ readonly text: string } | 'tooLarge'> {
  if (Number(request.headers['content-length'] ?? 0) > limit) {
    return 'tooLarge';
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) {
      return 'tooLarge';
    }
    chunks.push(chunk);
  }
  return { text: Buffer.concat(chunks).toString('utf8') };
}
