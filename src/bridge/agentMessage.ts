import { isObject } from '../base/jsonObject';

/** A message of the agent as the bridge needs to know it; the text goes on as it came. */
export interface AgentMessage {
  readonly text: string;
  readonly id: string | number | undefined;
  readonly method: string | undefined;
  readonly params: Readonly<Record<string, unknown>>;
  /** The revision in the envelope of a request of the stateless era. */
  readonly statelessVersion: string | undefined;
}

const versionKey = 'io.modelcontextprotocol/protocolVersion';

/** Reads a line of the agent; `undefined` where it is no JSON object. A batch (2025-03-26) counts as one without an id. */
export function readMessage(text: string): AgentMessage | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The caller answers what is no JSON.
    return undefined;
  }
  if (!isObject(value)) {
    return Array.isArray(value)
      ? { text, id: undefined, method: undefined, params: {}, statelessVersion: undefined }
      : undefined;
  }
  const { id, method, params } = value;
  const meta = isObject(params) && isObject(params['_meta']) ? params['_meta'] : {};
  const version = meta[versionKey];
  return {
    text,
    id: typeof id === 'string' || typeof id === 'number' ? id : undefined,
    method: typeof method === 'string' ? method : undefined,
    params: isObject(params) ? params : {},
    statelessVersion: typeof version === 'string' ? version : undefined,
  };
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

/** As it is where a header can carry it, else by the sentinel of the spec. */
function headerValue(value: string): string {
  const isPlain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !value.startsWith('=?base64?');
  return isPlain ? value : `=?base64?${Buffer.from(value, 'utf8').toString('base64')}?=`;
}
