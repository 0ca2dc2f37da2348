import {
  Client,
  type ClientContext,
  type ClientOptions,
  type Implementation,
  type JSONRPCRequest,
  RELATED_TASK_META_KEY,
  type Result,
} from '@modelcontextprotocol/client';
import { isObject } from '../../base/jsonObject';
import type { OpenRequest, OpenRequests } from './openRequests';

type Handler = (request: JSONRPCRequest, context: ClientContext) => Promise<Result>;

/** Spec: 2025-11-25 basic/utilities/tasks, related task metadata; what answers such a request carries it too. */
function relatedTask({ params }: JSONRPCRequest): { readonly taskId: string } | undefined {
  const { _meta: meta } = isObject(params) ? params : {};
  const related = isObject(meta) ? meta[RELATED_TASK_META_KEY] : undefined;
  return isObject(related) && typeof related['taskId'] === 'string' ? { taskId: related['taskId'] } : undefined;
}

/** The server that asks in a result waits for no message beside the answers. */
function noMessage(): Promise<never> {
  return Promise.reject(new Error('There is no request on the wire to relate a message to.'));
}

/**
 * The SDK's client, but what a server asks is checked by the features' own tolerant readers: the SDK would refuse a form
 * for one format that it does not know.
 */
export class HostClient extends Client {
  constructor(
    info: Implementation,
    options: ClientOptions,
    private readonly open: OpenRequests,
  ) {
    super(info, options);
  }

  /** The tasks that go on at the server, by its id. */
  readonly tasks = new Map<string, OpenRequest>();

  /** In both eras every request of a server comes through here. */
  protected override _wrapHandler(_method: string, handler: Handler): Handler {
    return async (request, context) => {
      const related = relatedTask(request);
      const task = related && this.tasks.get(related.taskId);
      if (task) {
        this.open.caused(context.mcpReq.signal, task);
      }
      const result = await this.open.answering(() => handler(request, context));
      return related ? { ...result, _meta: { ...result._meta, [RELATED_TASK_META_KEY]: related } } : result;
    };
  }

  /** What serves a method, for questions that come inside a result (spec: 2026-07-28 basic/patterns/mrtr). */
  handler(method: string): ((request: JSONRPCRequest, signal: AbortSignal) => Promise<Result>) | undefined {
    const handler = this._getRequestHandler(method);
    return (
      handler &&
      ((request, signal) =>
        handler(
          request,
          this.buildContext({
            mcpReq: {
              id: request.id,
              method,
              requestState: () => undefined,
              signal,
              send: noMessage,
              notify: noMessage,
            },
          }),
        ))
    );
  }
}
