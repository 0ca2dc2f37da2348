import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../base/clock';
import { type Disposable, toDisposable } from '../base/disposable';
import type { Logger } from '../base/log';
import { answerError } from './httpAnswers';
import { bearerToken, foreignRequest } from './requestGuard';
import { RequestRate } from './requestRate';
import type { AgentClient, ListenerLimits, Route } from './serverTypes';

/**
 * What a request passes before a route sees it, in this order: Host and Origin, token, rate, path, method, size. Of two
 * routes that fit the one with the longer prefix answers.
 */
export class RequestRouter {
  private readonly routes = new Set<Route>();
  private readonly rate: RequestRate;
  /** What is being answered, and to whom. */
  private readonly open = new Map<ServerResponse, string>();

  constructor(
    private readonly identify: (token: string) => AgentClient | undefined,
    private readonly log: Logger,
    private readonly limits: ListenerLimits,
    clock: Clock,
  ) {
    this.rate = new RequestRate(limits.burst, limits.perSecond, clock);
  }

  add(route: Route): Disposable {
    this.routes.add(route);
    return toDisposable(() => this.routes.delete(route));
  }

  /** Answers a request; never rejects. `port` is the one that it came to. */
  async serve(request: IncomingMessage, response: ServerResponse, port: number | undefined): Promise<void> {
    try {
      await this.answer(request, response, port);
    } catch (error) {
      if (request.errored || response.destroyed) {
        this.log.debug(`A request ended before it was answered: ${String(error)}`);
      } else {
        this.log.error('A request to the listener failed.', error);
      }
      if (response.headersSent) {
        response.destroy();
      } else {
        answerError(response, 500, 'Internal error.');
      }
    }
  }

  /** Ends all that a client has open: it is no longer let in. */
  endClient(id: string): void {
    this.rate.forget(id);
    this.routes.forEach((route) => route.endClient?.(id));
    for (const [response, client] of this.open) {
      if (client === id) {
        response.destroy();
      }
    }
  }

  private async answer(request: IncomingMessage, response: ServerResponse, port: number | undefined): Promise<void> {
    const foreign = foreignRequest(request.headers, port);
    if (foreign !== undefined) {
      answerError(response, 403, foreign);
      return;
    }
    const token = bearerToken(request.headers);
    const client = token === undefined ? undefined : this.identify(token);
    if (client === undefined) {
      answerError(response, 401, 'Unauthorized: the token is missing or wrong.', { 'www-authenticate': 'Bearer' });
      return;
    }
    const wait = this.rate.take(client.id);
    if (wait > 0) {
      answerError(response, 429, 'Too many requests.', { 'retry-after': String(wait) });
      return;
    }
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    const route = this.find(path);
    if (route === undefined) {
      answerError(response, 404, 'Not found.');
      return;
    }
    if (request.method === undefined || !route.methods.includes(request.method)) {
      answerError(response, 405, 'Method not allowed.', { allow: route.methods.join(', ') });
      return;
    }
    this.open.set(response, client.id);
    response.once('close', () => this.open.delete(response));
    const body = request.method === 'POST' ? await readBody(request, this.limits.bodyBytes) : undefined;
    if (body === 'tooLarge') {
      answerError(response, 413, `The request is larger than ${this.limits.bodyBytes} bytes.`, { connection: 'close' });
      return;
    }
    // It may have been revoked while the body came.
    if (!response.destroyed) {
      await route.handle({ request, response, rest: path.slice(route.prefix.length), body: body?.text, client });
    }
  }

  private find(path: string): Route | undefined {
    return [...this.routes].sort((a, b) => b.prefix.length - a.prefix.length).find(({ prefix }) => fits(prefix, path));
  }
}

function fits(prefix: string, path: string): boolean {
  return prefix.endsWith('/') ? path.startsWith(prefix) : path === prefix || path === `${prefix}/`;
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
