import { isObject } from '../base/jsonObject';
import { LARGEST_BODY_BYTES } from '../server/serverTypes';

/** A message of the agent as the bridge needs to know it; the text goes on as it came. */
export interface AgentMessage {
  readonly text: string;
  readonly id: string | number | undefined;
  readonly method: string | undefined;
  readonly params: Readonly<Record<string, unknown>>;
  /** The revision in the envelope of a request of the stateless era. */
  readonly statelessVersion: string | undefined;
}

/** What a line of the agent is. */
export type AgentLine =
  | { readonly kind: 'message'; readonly message: AgentMessage }
  | { readonly kind: 'batch'; readonly elements: readonly unknown[] }
  /** The answer to what is no message. */
  | { readonly kind: 'invalid'; readonly answer: string };

const versionKey = 'io.modelcontextprotocol/protocolVersion';
/** As much goes into one header, in bytes: three of them are within what Node takes. */
const maxHeaderBytes = 4_096;

/** Reads a line of the agent. */
export function readLine(text: string): AgentLine {
  // Some agents' libraries begin what they write with a byte order mark.
  const json = text.startsWith('\ufeff') ? text.slice(1) : text;
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return { kind: 'invalid', answer: errorAnswer(null, -32_700, 'Parse error: not JSON.') };
  }
  return Array.isArray(value) ? { kind: 'batch', elements: value } : readValue(value, () => json);
}

/** Reads a message that is parsed already, by JSON-RPC 2.0 and what all revisions of MCP say of ids and params. */
export function readValue(value: unknown, text = () => JSON.stringify(value)): Exclude<AgentLine, { kind: 'batch' }> {
  const known = isObject(value) ? value['id'] : undefined;
  const id = typeof known === 'string' || typeof known === 'number' ? known : undefined;
  const fault = faultOf(value);
  if (fault !== undefined || !isObject(value)) {
    return invalid(id, `Invalid request: ${fault ?? 'not an object'}.`);
  }
  const { method, params } = value;
  const meta = isObject(params) && isObject(params['_meta']) ? params['_meta'] : {};
  const version = meta[versionKey];
  try {
    const message = {
      text: text(),
      id,
      method: typeof method === 'string' ? method : undefined,
      params: isObject(params) ? params : {},
      statelessVersion: typeof version === 'string' ? version : undefined,
    };
    return { kind: 'message', message };
  } catch {
    // Only what is nested by the thousands cannot be written again.
    return invalid(id, 'Invalid request: nested too deeply.');
  }
}

/** What is wrong with a request or notification. Answers of the agent are the window's to judge: nobody answers them. */
function faultOf(value: unknown): string | undefined {
  if (!isObject(value)) {
    return 'not an object';
  }
  const { method, params, id } = value;
  if (!('method' in value) && ('result' in value || 'error' in value)) {
    return undefined;
  }
  if (value['jsonrpc'] !== '2.0') {
    return 'jsonrpc must be "2.0"';
  }
  if (typeof method !== 'string') {
    return 'method must be a string';
  }
  if ('id' in value && typeof id !== 'string' && !Number.isSafeInteger(id)) {
    return 'id must be a string or a whole number';
  }
  if ('params' in value && !isObject(params)) {
    return 'params must be an object';
  }
  return isObject(params) && '_meta' in params && !isObject(params['_meta']) ? '_meta must be an object' : undefined;
}

export function invalid(id: string | number | undefined, why: string): { kind: 'invalid'; answer: string } {
  return { kind: 'invalid', answer: errorAnswer(id ?? null, -32_600, why) };
}

/** A whole answer that is an error; `id` is null where the request has none that can be told. */
export function errorAnswer(id: string | number | null, code: number, message: string, data?: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } });
}

/** The headers that repeat the body in the stateless era (spec 2026-07-28: streamable HTTP, standard headers). */
export function statelessHeaders({ method, params, statelessVersion }: AgentMessage): Record<string, string> {
  const name = method === 'resources/read' ? params['uri'] : params['name'];
  const hasName = method === 'tools/call' || method === 'prompts/get' || method === 'resources/read';
  return {
    ...(statelessVersion === undefined ? {} : { 'mcp-protocol-version': headerValue(statelessVersion) }),
    ...(method === undefined ? {} : { 'mcp-method': headerValue(method) }),
    ...(hasName && typeof name === 'string' ? { 'mcp-name': headerValue(name) } : {}),
  };
}

/** Says which of the headers that a request must have cannot carry what it says. */
export function headerFault(message: AgentMessage): string | undefined {
  const [long] = Object.entries(statelessHeaders(message)).filter(([, value]) => value.length > maxHeaderBytes);
  return long && `What the header ${long[0]} has to repeat is too long: ${long[1].length} of ${maxHeaderBytes} bytes.`;
}

/** Says where a message is larger than a window takes. */
export function sizeFault({ text }: AgentMessage): string | undefined {
  const bytes = Buffer.byteLength(text);
  return bytes > LARGEST_BODY_BYTES
    ? `The message is too large: it has ${bytes} bytes, and an editor window takes at most ${LARGEST_BODY_BYTES}.`
    : undefined;
}

/** As it is where a header can carry it, else by the sentinel of the spec. */
function headerValue(value: string): string {
  const isPlain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !value.startsWith('=?base64?');
  return isPlain ? value : `=?base64?${Buffer.from(value, 'utf8').toString('base64')}?=`;
}
