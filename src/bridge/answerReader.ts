import { isObject } from '../base/jsonObject';
import { type AgentMessage } from './agentMessage';
import type { KnownOffers } from './knownOffers';
import type { WindowLink } from './windowLink';

/** Looks at what the window answers: keeps what can be told again without it, and says in an opening which window it is. */
export class AnswerReader {
  constructor(
    private readonly known: KnownOffers,
    private readonly link: WindowLink,
  ) {}

  /** Whether a message answers the request, and the text that goes on to the agent. */
  read(request: AgentMessage, text: string): { readonly isAnswer: boolean; readonly text: string } {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      // A window sends nothing but JSON; what is broken does not go on.
      return { isAnswer: false, text: '' };
    }
    if (!isObject(value) || value['method'] !== undefined || value['id'] !== request.id) {
      return { isAnswer: false, text: oneLine(text) };
    }
    const { result } = value;
    const { method } = request;
    if (method === undefined || !isObject(result)) {
      return { isAnswer: true, text: oneLine(text) };
    }
    this.known.keep(method, request.params, result);
    if (method === 'initialize' || method === 'server/discover') {
      const instructions = [result['instructions'], this.link.state].filter((part) => typeof part === 'string');
      return {
        isAnswer: true,
        text: JSON.stringify({ ...value, result: { ...result, instructions: instructions.join('\n\n') } }),
      };
    }
    return { isAnswer: true, text: oneLine(text) };
  }

  /** An answer of HTTP itself, which may belong to no request, as the answer to this one. */
  refusal(request: AgentMessage, status: number, text: string): string {
    let error: unknown;
    try {
      const value: unknown = JSON.parse(text);
      error = isObject(value) ? value['error'] : undefined;
    } catch {
      // The status says enough.
    }
    return JSON.stringify({
      jsonrpc: '2.0',
      id: request.id,
      error: isObject(error) ? error : { code: -32_603, message: `The window answered with HTTP status ${status}.` },
    });
  }
}

function oneLine(text: string): string {
  return text.includes('\n') ? JSON.stringify(JSON.parse(text)) : text;
}
