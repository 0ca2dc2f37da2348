import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LOG_LEVEL_META_KEY,
  type PriorDiscovery,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  type RequestOptions as ClientRequestOptions,
  type ServerCapabilities,
  type Tool,
  type Transport,
} from '@modelcontextprotocol/client';
import { DisposableStore } from '../../base/disposable';
import { cancelled, PorticoError } from '../../base/errors';
import { isObject } from '../../base/jsonObject';
import type { Answerer, AttachedFeature, ListKind, ReadyInfo, RequestOptions } from './connectionTypes';
import { followLogLevel } from './followLogLevel';
import { capabilitiesOf } from './hostCapabilities';
import { HostClient } from './hostClient';
import { answerInputRequired, answerQuestions, INPUT_METHODS } from './inputRequired';
import { listenForChanges, listenToWanted } from './listen';
import { aliasMethod, unaliasSends } from './methodAlias';
import { notOffered } from './notOffered';
import { type BegunRequest, type OpenRequest, OpenRequests } from './openRequests';
import type { Fields } from './readEntries';
import { asNotification, refusalOf } from './readAsked';
import { ownFailure } from './readReply';
import { passThroughSchema } from './passThroughSchema';
import { keepResultType, restoreResultType } from './resultType';
import type { SessionEnd } from './sessionEnd';
import { sdkFailure, wireFailure } from './sessionFailure';
import type { Session, SessionContext, SessionRequestOptions, TaskWish, Work } from './sessionTypes';
import { ServerLog } from './serverLog';
import { subscribeToWanted } from './subscribeToWanted';
import { taskParam } from './tasks/callAsTask';

const LIST_NOTIFICATIONS: readonly (readonly [string, readonly ListKind[]])[] = [
  ['notifications/tools/list_changed', ['tools']],
  ['notifications/prompts/list_changed', ['prompts']],
  ['notifications/resources/list_changed', ['resources', 'templates']],
];

/** Requests run out by `OpenRequests`; the SDK's own timer, which cannot be paused, is set to its longest. */
const NEVER_MS = 2 ** 31 - 1;
/** Of the stateless era's envelope. */
const OWN_META: ReadonlySet<string> = new Set([
  PROTOCOL_VERSION_META_KEY,
  CLIENT_INFO_META_KEY,
  CLIENT_CAPABILITIES_META_KEY,
  LOG_LEVEL_META_KEY,
]);

function withoutOwn(meta: Fields): Fields {
  return Object.fromEntries(Object.entries(meta).filter(([key]) => !OWN_META.has(key)));
}

const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** One SDK client on one transport. */
export class ClientSession implements Session {
  readonly ended: Promise<PorticoError>;
  private ready: ReadyInfo | undefined;
  private reason: PorticoError | undefined;
  private settleEnded: (reason: PorticoError) => void = () => undefined;
  private readonly store = new DisposableStore();
  private readonly open: OpenRequests;
  private readonly client: HostClient;
  private readonly progress = new Map<number, Pick<OpenRequest, 'extend'> & Pick<RequestOptions, 'onProgress'>>();
  private nextToken = 1;
  private readonly attached: readonly AttachedFeature[];

  constructor(
    private readonly transport: Transport,
    private readonly end: SessionEnd,
    private readonly context: SessionContext,
  ) {
    this.ended = new Promise((resolve) => {
      this.settleEnded = resolve;
    });
    this.open = this.store.add(new OpenRequests(context.clock));
    this.client = new HostClient(
      context.clientInfo,
      { capabilities: capabilitiesOf(context), versionNegotiation: { mode: 'auto' } },
      this.open,
    );
    this.client.fallbackRequestHandler = ({ method }) => {
      // A server may pass the sentence on.
      const { message } = notOffered(context.server.key, method.slice(0, 200));
      return Promise.reject(new ProtocolError(ProtocolErrorCode.MethodNotFound, message));
    };
    this.client.onerror = (error) =>
      PorticoError.is(error, 'MESSAGE_TOO_LARGE')
        ? context.log.warn(error.message)
        : context.log.debug(`protocol: ${error.message}`);
    this.client.onclose = () => this.finish();
    // The SDK would run it after the result that came with it, and drop it then.
    this.client.removeNotificationHandler('notifications/progress');
    const before = transport.onmessage;
    transport.onmessage = (message, extra) => {
      before?.(message, extra);
      const refusal = refusalOf(message);
      if (refusal) {
        transport.send(refusal).catch((error: unknown) => context.log.debug(`refusal: ${String(error)}`));
        asNotification(message);
      }
      keepResultType(message, this.ready?.era);
      if ('method' in message && message.method === 'notifications/progress') {
        this.deliverProgress(isObject(message.params) ? message.params : {});
      }
    };
    for (const [method, kinds] of LIST_NOTIFICATIONS) {
      this.onNotification(method, () => context.onListChanged(kinds));
    }
    this.onNotification('notifications/resources/updated', ({ uri }) => {
      if (typeof uri === 'string') {
        context.onResourceUpdated(uri);
      }
    });
    const said = this.store.add(new ServerLog(context.log, context.clock));
    this.onNotification('notifications/message', (params) => said.write(params));
    this.attached = context.features.map((feature) =>
      this.store.add(feature.attach(this.client, context.server, this.open)),
    );
    unaliasSends(transport);
  }

  private deliverProgress({ progressToken, progress, total, message }: Readonly<Record<string, unknown>>): void {
    const awaited = typeof progressToken === 'number' ? this.progress.get(progressToken) : undefined;
    if (awaited && typeof progress === 'number') {
      awaited.extend();
      awaited.onProgress?.({
        progress,
        ...(typeof total === 'number' ? { total } : {}),
        ...(typeof message === 'string' ? { message } : {}),
      });
    }
  }

  private onNotification(method: string, run: (params: Record<string, unknown>) => void): void {
    this.client.setNotificationHandler(method, { params: passThroughSchema }, (params) => {
      run(typeof params === 'object' && params !== null ? (params as Record<string, unknown>) : {});
    });
  }

  /** Shakes hands; without `prior` the SDK finds out the era itself. */
  async connect(prior: PriorDiscovery | undefined): Promise<void> {
    const { client, context, transport } = this;
    await client.connect(transport, {
      // The lifecycle bounds the whole start.
      timeout: NEVER_MS,
      ...(prior === undefined ? {} : { prior }),
    });
    const era = client.getProtocolEra() === 'modern' ? 'stateless' : 'session';
    const instructions = client.getInstructions();
    this.ready = {
      era,
      protocolVersion: client.getNegotiatedProtocolVersion() ?? '',
      serverInfo: client.getServerVersion() ?? { name: context.server.key, version: '' },
      capabilities: client.getServerCapabilities() ?? {},
      ...(typeof instructions === 'string' ? { instructions } : {}),
    };
    if (era === 'stateless') {
      this.store.add(listenForChanges(client, this.capabilities, context));
    } else if (this.capabilities.logging && context.logLevel) {
      this.store.add(followLogLevel(this, context.logLevel, context.log));
    }
    if (this.capabilities.resources?.subscribe) {
      this.store.add(era === 'stateless' ? listenToWanted(client, context) : subscribeToWanted(this, context));
    }
  }

  /** Called when updates may no longer come: finds out whether the server still knows the session, where that matters. */
  async check(): Promise<void> {
    const { wanted, log, onLost } = this.context;
    if (this.ready && wanted.uris.peek().size > 0) {
      try {
        await this.request('ping', {}, {});
      } catch (error) {
        log.debug(`ping: ${String(error)}`);
        if (this.isLost(error)) {
          onLost(error);
        }
      }
    }
  }

  private get capabilities(): ServerCapabilities {
    return this.ready?.capabilities ?? {};
  }

  get info(): ReadyInfo {
    if (!this.ready) {
      throw new PorticoError('INTERNAL', 'The session is not connected yet.');
    }
    return this.ready;
  }

  get pid(): number | undefined {
    return this.end.pid;
  }

  get mirrorsParameters(): boolean {
    return this.ready?.era === 'stateless' && this.transport.hasPerRequestStream === true;
  }

  get endReason(): PorticoError | undefined {
    return this.reason;
  }

  private finish(): void {
    const { key } = this.context.server;
    this.reason ??=
      this.end.reason() ??
      new PorticoError('CONNECTION_LOST', `The connection to "${key}" was lost. Start it again.`, { server: key });
    this.store.dispose();
    this.settleEnded(this.reason);
  }

  async request(method: string, params: Fields, options: SessionRequestOptions): Promise<unknown> {
    for (let times = 0; ; times += 1) {
      try {
        return await this.sendOnce(method, params, options);
      } catch (error) {
        if (!(await this.recover(error, method, options, times))) {
          throw this.failure(error, method, options);
        }
      }
    }
  }

  /** Whether a feature has done what the server wants first, so that the request is worth sending again. */
  private async recover(error: unknown, method: string, options: RequestOptions, times: number): Promise<boolean> {
    try {
      for (const feature of INPUT_METHODS.has(method) ? this.attached : []) {
        if (await feature.recover?.(error, options, times)) {
          return true;
        }
      }
      return false;
    } catch (reason) {
      throw this.failure(reason, method, options);
    }
  }

  private sendOnce(method: string, params: Fields, options: SessionRequestOptions): Promise<Fields> {
    const { timeoutMs: ms = this.context.limits.requestMs, signal, answerer } = options;
    const begun = this.open.begin({ method, ms, signal, answerer });
    return this.open.sendFor(begun.request, () => this.exchange(begun, method, params, options));
  }

  private async exchange(
    { request, end }: BegunRequest,
    method: string,
    params: Fields,
    options: SessionRequestOptions,
  ): Promise<Fields> {
    const progressToken = this.nextToken;
    this.nextToken += 1;
    // Members that are added to a spread make it many times as dear.
    const meta = { _meta: Object.assign({}, this.metaOf(options), { progressToken }) };
    const send = (sent: Fields): Promise<Fields> =>
      this.send(method, Object.assign({}, sent, meta), request.signal, options.headers);
    this.progress.set(progressToken, { extend: request.extend, onProgress: options.onProgress });
    try {
      const result = await send(params);
      return this.ready?.era === 'stateless' && result['resultType'] !== undefined
        ? await this.complete(method, params, result, request, send)
        : result;
    } finally {
      end();
      this.progress.delete(progressToken);
    }
  }

  /** What goes with a request beside its token; what says who sends it, and how, is ours to say. */
  private metaOf({ meta }: RequestOptions): Fields | undefined {
    const level =
      this.ready?.era === 'stateless' && this.capabilities.logging ? this.context.logLevel?.peek() : undefined;
    const passed = meta && Object.keys(meta).some((key) => OWN_META.has(key)) ? withoutOwn(meta) : meta;
    return level === undefined ? passed : { ...passed, [LOG_LEVEL_META_KEY]: level };
  }

  private send(
    method: string,
    params: Fields,
    signal: AbortSignal,
    headers: SessionRequestOptions['headers'],
  ): Promise<Fields> {
    const wire = this.ready?.era === 'stateless' ? aliasMethod(method) : method;
    const options: ClientRequestOptions = { timeout: NEVER_MS, signal, headers };
    return this.client.request({ method: wire, params }, passThroughSchema, options).then(restoreResultType);
  }

  /** Stateless era: a result that is not the last word. */
  private async complete(
    method: string,
    params: Fields,
    first: Fields,
    request: OpenRequest,
    send: (params: Fields) => Promise<Fields>,
  ): Promise<Fields> {
    const { clock, server } = this.context;
    const result = await answerInputRequired(method, params, first, {
      server: server.key,
      clock,
      signal: request.signal,
      send: (again) => {
        request.extend();
        return send(again);
      },
      handler: (question) => this.handlerOf(question, request),
    });
    const { resultType } = result;
    if (resultType !== undefined && !this.isDeclaredResult(resultType)) {
      const what = typeof resultType === 'string' ? JSON.stringify(resultType.slice(0, 100)) : 'that has no name';
      throw new PorticoError(
        'REPLY_INVALID',
        `"${server.key}" answered ${method} with a result of a type that Portico does not know: ${what}. Update the server or Portico.`,
        { server: server.key },
      );
    }
    return result;
  }

  /** What answers a question that came in the result of this request. */
  private handlerOf(question: string, request: OpenRequest): ReturnType<HostClient['handler']> {
    const handler = this.client.handler(question);
    return (
      handler &&
      ((asked, signal) => {
        this.open.caused(signal, request);
        return handler(asked, signal);
      })
    );
  }

  taskParam(tool: () => Tool | undefined, wish: TaskWish): Fields | undefined {
    return taskParam(this.info, tool, wish);
  }

  beginWork(task: string, answerer: Answerer | undefined): Work {
    const { clock, server } = this.context;
    const { request, end } = this.open.beginWork(answerer);
    this.client.tasks.set(task, request);
    return {
      answer: (inputRequests, signal) =>
        answerQuestions(inputRequests, {
          server: server.key,
          clock,
          signal: AbortSignal.any([signal, request.signal]),
          handler: (question) => this.handlerOf(question, request),
        }),
      dispose: () => {
        this.client.tasks.delete(task);
        end();
      },
    };
  }

  /** The extension of tasks has a type of result of its own, which is for those who have declared it. */
  private isDeclaredResult(resultType: unknown): boolean {
    return resultType === 'task' && capabilitiesOf(this.context).extensions?.[TASKS_EXTENSION] !== undefined;
  }

  isLost(error: unknown): boolean {
    return this.end.isLost(error);
  }

  /** Wire errors stay as they are; what the SDK says of its transport becomes a sentence with a next step. */
  private failure(error: unknown, method: string, options: RequestOptions): unknown {
    const { key } = this.context.server;
    if (options.signal?.aborted) {
      return cancelled(`${method} on "${key}"`);
    }
    const own = ownFailure(error);
    if (own) {
      return own;
    }
    if (error instanceof ProtocolError || this.end.isLost(error)) {
      return wireFailure(error, this.context);
    }
    if (this.reason) {
      return this.reason;
    }
    const sdk = sdkFailure(error, key, {
      method,
      ms: options.timeoutMs ?? this.context.limits.requestMs,
      hint: this.end.hint(),
    });
    if (sdk) {
      return sdk;
    }
    const translated = this.end.translate(error) ?? error;
    if (this.end.isDown(translated)) {
      this.reason = translated;
      this.finish();
    }
    return translated;
  }

  async close(lost = false, reason?: PorticoError): Promise<void> {
    this.reason ??= reason;
    await this.end.close(lost);
    await this.client.close();
    this.finish();
  }
}
