import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type JSONRPCRequest,
  specTypeSchemas,
} from '@modelcontextprotocol/server';
import { isObject } from '../../base/jsonObject';
import { largerThan } from '../../base/jsonSize';

/** What names something, in characters: longer ones name nothing, and would cost whoever looks for it. */
const longestText = 65_536;
const mostItems = 1_000;
/** All that names something together. */
const mostNaming = 1_000_000;
/** What a client says of itself, as JSON, and a word in that: a session keeps it. */
const longestIdentity = 65_536;
const longestWord = 1_000;
const mostTold = 3;

/** Of the params, what names something; arguments and content are checked by those who know what they are. */
const naming = ['uri', 'name', 'cursor', 'ref', 'argument', 'notifications', 'protocolVersion'] as const;

const schemas = {
  initialize: specTypeSchemas.InitializeRequest,
  'tools/list': specTypeSchemas.ListToolsRequest,
  'tools/call': specTypeSchemas.CallToolRequest,
  'resources/list': specTypeSchemas.ListResourcesRequest,
  'resources/templates/list': specTypeSchemas.ListResourceTemplatesRequest,
  'resources/read': specTypeSchemas.ReadResourceRequest,
  'resources/subscribe': specTypeSchemas.SubscribeRequest,
  'resources/unsubscribe': specTypeSchemas.UnsubscribeRequest,
  'prompts/list': specTypeSchemas.ListPromptsRequest,
  'prompts/get': specTypeSchemas.GetPromptRequest,
  'completion/complete': specTypeSchemas.CompleteRequest,
  'logging/setLevel': specTypeSchemas.SetLevelRequest,
  'subscriptions/listen': specTypeSchemas.SubscriptionsListenRequest,
} as const;

/** Methods that 2026-07-28 has removed: there nobody knows them, whatever their params. */
export const sessionMethods: ReadonlySet<string> = new Set([
  'initialize',
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
]);

/**
 * What is wrong with the params of a request, as one sentence for an error of invalid params (spec: basic#error-codes);
 * nothing where they are as the protocol has them. The SDK would call it an internal error.
 */
export function paramsFault({ method, params }: Pick<JSONRPCRequest, 'method' | 'params'>): string | undefined {
  const schema = Object.hasOwn(schemas, method) ? schemas[method as keyof typeof schemas] : undefined;
  if (schema === undefined) {
    return undefined;
  }
  const issues = issuesOf(schema, { method, ...(params === undefined ? {} : { params }) });
  return issues.length > 0 ? sentence(method, issues.map(faultOf)) : sizeFault({ method, params });
}

/** The same in the stateless era, where every request says who sends it. */
export function statelessFault(request: JSONRPCRequest): string | undefined {
  const { [CLIENT_INFO_META_KEY]: info, [CLIENT_CAPABILITIES_META_KEY]: capabilities } = request.params?._meta ?? {};
  const faults = identityFaults({ clientInfo: info, clientCapabilities: capabilities });
  return faults.length > 0 ? sentence(request.method, faults) : paramsFault(request);
}

/** What makes a message, which has an id and a method, no request: its params are none; nothing where it is something else. */
export function requestFault(message: unknown): string | undefined {
  const { jsonrpc, id, method, params } = isObject(message) ? message : {};
  if (jsonrpc !== '2.0' || !(typeof id === 'string' || Number.isInteger(id)) || typeof method !== 'string') {
    return undefined;
  }
  const issues = issuesOf(specTypeSchemas.JSONRPCRequest, { jsonrpc, id, method, params });
  return issues.length === 0 ? undefined : sentence(method.slice(0, 100), issues.map(faultOf));
}

/** The same of what is too long alone, in whatever shape it is: that costs next to nothing to tell. */
export function sizeFault({ method, params = {} }: Pick<JSONRPCRequest, 'method' | 'params'>): string | undefined {
  if (!Object.hasOwn(schemas, method)) {
    return undefined;
  }
  const faults = naming.flatMap((name) => sizeFaultsOf(params[name], name));
  if (method === 'initialize') {
    faults.push(...identityFaults({ clientInfo: params['clientInfo'], capabilities: params['capabilities'] }));
  }
  return faults.length === 0 ? undefined : sentence(method, faults);
}

function sentence(method: string, faults: readonly string[]): string {
  return `Invalid params of ${method}: ${[...new Set(faults)].slice(0, mostTold).join('; ')}.`;
}

function faultOf({ path = [], message }: Issue): string {
  const keys = path.map((part) => String(typeof part === 'object' ? part.key : part));
  const name = (keys[0] === 'params' ? keys.slice(1) : keys).join('.').slice(0, 100);
  return `${name === '' ? 'params' : name}: ${expected[name] ?? message.replace(/^Invalid input: /, '').slice(0, 200)}`;
}

/** Where there is a choice, the schema does not say of what. */
const expected: Readonly<Record<string, string>> = {
  ref: 'expected {"type": "ref/prompt", "name": …} or {"type": "ref/resource", "uri": …}',
  '_meta.progressToken': 'expected a string or an integer',
};

/** Faults of what a client says of itself, by the names of its parts. */
function identityFaults(parts: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(parts).flatMap(([part, value]) => {
    if (largerThan(value, longestIdentity)) {
      return [`${part}: it has more than ${longestIdentity} characters`];
    }
    return ['name', 'version', 'title'].flatMap((key) => {
      const word = isObject(value) ? value[key] : undefined;
      return typeof word === 'string' && word.length > longestWord
        ? [`${part}.${key}: it has more than ${longestWord} characters`]
        : [];
    });
  });
}

function issuesOf(schema: (typeof specTypeSchemas)[keyof typeof specTypeSchemas], value: unknown): readonly Issue[] {
  const result = schema['~standard'].validate(value);
  return result instanceof Promise ? [] : (result.issues ?? []);
}

interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

function sizeFaultsOf(value: unknown, path: string): string[] {
  if (typeof value === 'string') {
    return value.length > longestText ? [`${path}: it has more than ${longestText} characters`] : [];
  }
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  if (largerThan(value, mostNaming)) {
    return [`${path}: it has more than ${mostNaming} characters`];
  }
  const entries = Object.entries(value);
  return entries.length > mostItems
    ? [`${path}: it has more than ${mostItems} entries`]
    : entries.flatMap(([key, below]) => sizeFaultsOf(below, `${path}.${key.slice(0, 100)}`));
}
