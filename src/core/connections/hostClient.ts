import {
  Client,
  type ClientContext,
  type ClientOptions,
  type Implementation,
  type JSONRPCRequest,
  type Result,
} from '@modelcontextprotocol/client';
import type { OpenRequests } from './openRequests';

type Handler = (request: JSONRPCRequest, context: ClientContext) => Promise<Result>;

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

  /** In both eras every request of a server comes through here. */
  protected override _wrapHandler(_method: string, handler: Handler): Handler {
    return (request, context) => this.open.answering(() => handler(request, context));
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
