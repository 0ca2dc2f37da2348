import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../base/clock';
import { type Disposable, DisposableStore, toDisposable } from '../base/disposable';
import type { Logger } from '../base/log';
import { ClientPresence } from './clientPresence';
import { answerError, unansweredRequests, unreadAnswers } from './httpAnswers';
import { OpenAnswers } from './openAnswers';
import { RequestBodies } from './requestBodies';
import { bearerToken, foreignRequest } from './requestGuard';
import { RequestRate } from './requestRate';
import type { AgentClient, ListenerLimits, Route } from './serverTypes';

/**
 * What a request passes before a route sees it, in this order: Host and Origin, token, rate, answers that wait to be
 * read, path, method, size. Of two routes that fit the one with the longer prefix answers.
 */
export class RequestRouter implements Disposable {
  /** Those with longer prefixes first. */
  private routes: readonly Route[] = [];
  private readonly rate: RequestRate;
  readonly presence: ClientPresence;
  private readonly answers: OpenAnswers;
  private readonly bodies: RequestBodies;
  private readonly store = new DisposableStore();

  constructor(
    private readonly identify: (token: string) => AgentClient | undefined,
    private readonly log: Logger,
    private readonly limits: ListenerLimits,
    clock: Clock,
  ) {
    this.rate = new RequestRate(limits.burst, limits.perSecond, clock);
    this.presence = this.store.add(new ClientPresence(clock));
    this.answers = this.store.add(new OpenAnswers(limits.waitingBytes, clock));
    this.bodies = new RequestBodies(limits);
  }

  add(route: Route): Disposable {
    this.routes = [...this.routes, route].sort((a, b) => b.prefix.length - a.prefix.length);
    return toDisposable(() => {
      this.routes = this.routes.filter((other) => other !== route);
    });
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
    this.answers.end(id);
    this.presence.forget(id);
  }

  dispose(): void {
    this.store.dispose();
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
    const hasRoom = (): boolean => this.answers.hasRoom(client.id, response);
    if (!hasRoom()) {
      answerError(response, 429, unreadAnswers, { 'retry-after': '1' });
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
    this.answers.add(client.id, request, response);
    response.once('close', this.presence.began(client));
    const body = request.method === 'POST' ? await this.bodies.read(client.id, request, response) : undefined;
    if (body === 'tooLarge') {
      answerError(response, 413, `The request is larger than ${this.limits.bodyBytes} bytes.`, { connection: 'close' });
      return;
    }
    if (body === 'tooMuch') {
      answerError(response, 429, unansweredRequests, { 'retry-after': '1' });
      return;
    }
    // It may have been revoked while the body came.
    if (!response.destroyed) {
      await route.handle({
        request,
        response,
        rest: path.slice(route.prefix.length),
        body: body?.text,
        client,
        hasRoom,
        keeps: (bytes) => this.answers.keeps(client.id, response, bytes),
      });
    }
  }

  private find(path: string): Route | undefined {
    return this.routes.find(({ prefix }) => fits(prefix, path));
  }
}

function fits(prefix: string, path: string): boolean {
  return prefix.endsWith('/') ? path.startsWith(prefix) : path === prefix || path === `${prefix}/`;
}
