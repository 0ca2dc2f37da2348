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
}
