import { PorticoError } from '../../../base/errors';
import { isObject } from '../../../base/jsonObject';
import { plainText } from '../../../base/plainText';
import { ownFailure } from '../readReply';

/** A POST of the handshake was answered with the event stream of the legacy transport. */
export class LegacySseAnswer extends Error {
  override readonly name = 'LegacySseAnswer';

  constructor() {
    super('The server answered with the event stream of the HTTP+SSE transport.');
  }
}

/** The legacy transport opened its stream but got no address to send to: its own sentence tells more than the first try's. */
export class EndpointError extends PorticoError {}

/** Names the notification that a server refused; where it wants a sign-in, that matters more. */
export function refusedNotification(error: unknown, method: string, server: string): unknown {
  const status = causes(error).map(statusOf).find(Boolean);
  return status === undefined || status === 401 || status === 403
    ? error
    : new PorticoError(
        'CONNECT_FAILED',
        `Server "${server}" answered HTTP ${status} to ${method}, which needs no answer. See its own log.`,
        { server, cause: error },
      );
}

/** Statuses after which the spec sends a client to the legacy transport (basic/transports, backwards compatibility). */
const FALLBACK_STATUSES = new Set([400, 404, 405]);
const SHOWN_TEXT = 200;

/** True where the legacy transport is worth a try after a failed start; any other failure is the one to show. */
export function shouldFallBackToSse(error: unknown): boolean {
  return causes(error).some((cause) => cause instanceof LegacySseAnswer || FALLBACK_STATUSES.has(statusOf(cause) ?? 0));
}

/** What a server says with a 400 where it no longer knows the session; no code tells it from others. */
const NO_SESSION = /not initialized|session/i;

/** True where this refusal of a request means that the server no longer knows the session. */
export function saysSessionLost(status: number, text: string): boolean {
  // JSON-RPC leaves -32000 to implementations.
  return status === 404 || (status === 400 && NO_SESSION.test(text));
}

/** True where a request after the handshake was refused because the server no longer knows the session. */
export function isSessionLost(error: unknown): boolean {
  return causes(error).some((cause) => {
    const status = statusOf(cause);
    return status !== undefined && saysSessionLost(status, textOf(cause));
  });
}

/** True where the server wants a sign-in. */
export function isUnauthorized(error: unknown): boolean {
  return causes(error).some((cause) => statusOf(cause) === 401 || PorticoError.is(cause, 'UNAUTHORIZED'));
}

/** The sentence for a failure of a remote server; errors of the protocol itself come back as they are. */
export function toRemoteError(error: unknown, server: string): PorticoError | Error {
  const chain = causes(error);
  const own = chain.find((cause) => cause instanceof PorticoError) ?? chain.map(ownFailure).find(Boolean);
  if (own) {
    return own;
  }
  const fail = (code: 'UNAUTHORIZED' | 'ACCESS_DENIED' | 'CONNECT_FAILED', what: string): PorticoError =>
    new PorticoError(code, `Server "${server}" ${what}`, { server, cause: error });
  if (isUnauthorized(error)) {
    return fail(
      'UNAUTHORIZED',
      'wants you to sign in (HTTP 401). Sign in to it in the editor, or put a valid "Authorization" header into its entry.',
    );
  }
  const refused = chain.find((cause) => statusOf(cause) !== undefined);
  const status = statusOf(refused);
  if (status === 403) {
    return fail(
      'ACCESS_DENIED',
      `denied access (HTTP 403)${quote(textOf(refused))}. Check the headers of its entry, or ask those who run it for permission.`,
    );
  }
  if (status === 429) {
    return new PorticoError('RATE_LIMITED', `Server "${server}" gets too many requests (HTTP 429). Try again later.`, {
      server,
      cause: error,
    });
  }
  if (status === 502 || status === 503 || status === 504) {
    return fail(
      'CONNECT_FAILED',
      `is not available at the moment (HTTP ${status})${quote(textOf(refused))}. Try again later.`,
    );
  }
  if (status !== undefined && status >= 400) {
    return fail('CONNECT_FAILED', `answered HTTP ${status}${quote(textOf(refused))}. Check its "url" and its own log.`);
  }
  if (status !== undefined && status >= 300) {
    return fail('CONNECT_FAILED', `answered HTTP ${status}, which is no answer in MCP. Check its "url".`);
  }
  if (chain.some(({ name }) => name === 'ZodError')) {
    return new PorticoError(
      'REPLY_INVALID',
      `Server "${server}" answered with a message that is not MCP. See its own log, or update it.`,
      { server, cause: error },
    );
  }
  if (chain.some((cause) => cause instanceof SyntaxError || codeOf(cause) === 'CLIENT_HTTP_UNEXPECTED_CONTENT')) {
    return fail(
      'CONNECT_FAILED',
      'answered with something that is not MCP. Check whether its "url" is the MCP endpoint.',
    );
  }
  return error instanceof Error ? error : new Error(String(error));
}

/** An error and what caused it, outermost first. */
function causes(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let next = error; next instanceof Error && !chain.includes(next); next = next.cause) {
    chain.push(next);
  }
  return chain;
}

/** The HTTP status that the SDK's errors carry; read by shape, so that this file does not load the SDK. */
function statusOf(error: Error | undefined): number | undefined {
  if (!error) {
    return undefined;
  }
  if (error.name === 'UnauthorizedError') {
    return 401;
  }
  const status = 'status' in error ? error.status : undefined;
  return typeof status === 'number' ? status : undefined;
}

function codeOf(error: Error): unknown {
  return 'code' in error ? error.code : undefined;
}

function textOf(error: Error | undefined): string {
  const data = error && 'data' in error ? error.data : undefined;
  const text = typeof data === 'object' && data !== null && 'text' in data ? data.text : undefined;
  return typeof text === 'string' ? text : '';
}

/** What the server said, on one line and cut: it is untrusted. */
export function quote(text: string): string {
  const words = text.trimStart().startsWith('<')
    ? text.replace(/<(script|style)\b[\s\S]*?<\/\1\s*>/gi, ' ').replace(/<[^>]*>/g, ' ')
    : (sentenceIn(text) ?? text);
  const line = plainText(words)
    .replace(/[\s\p{Cf}]+/gu, ' ')
    .trim();
  const shown = line.length > SHOWN_TEXT ? `${line.slice(0, SHOWN_TEXT)}…` : line;
  return shown === '' ? '' : `: ${shown}`;
}

/** The sentence in the usual shapes of a failure in JSON: that of JSON-RPC, and those of the common frameworks. */
function sentenceIn(text: string): string | undefined {
  const value = jsonIn(text);
  const { error, message, detail, error_description: description } = isObject(value) ? value : {};
  const candidates = [isObject(error) ? error['message'] : description, message, detail, error];
  return candidates.find((candidate) => typeof candidate === 'string');
}

/** A text as JSON; nothing where it is none. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
