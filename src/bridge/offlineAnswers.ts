import { isObject } from '../base/jsonObject';
import { type AgentMessage, errorAnswer } from './agentMessage';
import type { KnownOffers } from './knownOffers';
import type { WindowLost } from './windowHttp';

const sessionVersions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
const statelessVersions = ['2026-07-28'];
const serverInfoKey = 'io.modelcontextprotocol/serverInfo';

const capabilities = {
  tools: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  prompts: { listChanged: true },
  completions: {},
  logging: {},
};

/** The methods of each era, with what a server must be able to do for them. */
const methods: ReadonlyMap<string, string | undefined> = new Map([
  ['tools/list', 'tools'],
  ['tools/call', 'tools'],
  ['prompts/list', 'prompts'],
  ['prompts/get', 'prompts'],
  ['resources/list', 'resources'],
  ['resources/templates/list', 'resources'],
  ['resources/read', 'resources'],
  ['completion/complete', 'completions'],
]);
const sessionMethods: typeof methods = new Map([
  ...methods,
  ['initialize', undefined],
  ['ping', undefined],
  ['logging/setLevel', 'logging'],
  ['resources/subscribe', 'resources'],
  ['resources/unsubscribe', 'resources'],
  ['tasks/get', 'tasks'],
  ['tasks/result', 'tasks'],
  ['tasks/list', 'tasks'],
  ['tasks/cancel', 'tasks'],
]);
const statelessMethods: typeof methods = new Map([...methods, ['server/discover', undefined]]);

/** What an agent is told while no window serves it. `why` says why there is none, and what to do. */
export class OfflineAnswers {
  constructor(
    private readonly known: KnownOffers,
    private readonly why: () => string,
  ) {}

  /** The whole answer to a request. */
  answer(message: AgentMessage): string {
    const { id = null, method = '', params, statelessVersion } = message;
    const isStateless = statelessVersion !== undefined;
    if (isStateless && !statelessVersions.includes(statelessVersion)) {
      const data = { supported: statelessVersions, requested: statelessVersion };
      return errorAnswer(id, -32_022, `Unsupported protocol version: ${statelessVersion}`, data);
    }
    if (!this.offers(method, isStateless ? statelessMethods : sessionMethods)) {
      return errorAnswer(id, -32_601, 'Method not found');
    }
    const result = this.result(method, params, isStateless);
    return result === undefined ? errorAnswer(id, -32_603, this.why()) : JSON.stringify({ jsonrpc: '2.0', id, result });
  }

  /** The answer to a request that has none from its window; `sent` is how much of it went out. */
  lost({ id, method, statelessVersion }: AgentMessage, sent: WindowLost['sent']): string {
    const text =
      sent === 'all'
        ? 'The editor window went away before it answered: what was asked for may or may not have been done.'
        : 'The connection to the editor window ended before the whole request was sent: nothing was done. Try again.';
    const envelope = statelessVersion === undefined ? {} : { resultType: 'complete' };
    return JSON.stringify({
      jsonrpc: '2.0',
      id,
      ...(method === 'tools/call'
        ? { result: { ...envelope, content: [{ type: 'text', text }], isError: true } }
        : { error: { code: -32_603, message: text } }),
    });
  }

  private offers(method: string, known: typeof methods): boolean {
    const needed = known.get(method);
    const able = this.opening()['capabilities'];
    return known.has(method) && (needed === undefined || (isObject(able) && able[needed] !== undefined));
  }

  private result(
    method: string,
    params: Readonly<Record<string, unknown>>,
    stateless: boolean,
  ): Record<string, unknown> | undefined {
    const envelope = stateless ? { resultType: 'complete' } : {};
    const cached = stateless ? { ...envelope, ttlMs: 0, cacheScope: 'private' } : {};
    switch (method) {
      case 'initialize':
        return {
          ...this.opening(),
          serverInfo: this.serverInfo(),
          protocolVersion: sessionVersion(params['protocolVersion']),
        };
      case 'server/discover':
        return {
          ...this.opening(),
          ...cached,
          supportedVersions: statelessVersions,
          _meta: { [serverInfoKey]: this.serverInfo() },
        };
      case 'tools/list':
        return { ...(this.known.get(method) ?? { tools: [] }), ...cached };
      case 'prompts/list':
        return { ...(this.known.get(method) ?? { prompts: [] }), ...cached };
      case 'resources/templates/list':
        return { ...(this.known.get(method) ?? { resourceTemplates: [] }), ...cached };
      case 'resources/list':
        return { resources: [], ...cached };
      case 'completion/complete':
        return { completion: { values: [] }, ...envelope };
      case 'tools/call':
        return { content: [{ type: 'text', text: this.why() }], isError: true, ...envelope };
      case 'ping':
      case 'logging/setLevel':
      case 'resources/subscribe':
      case 'resources/unsubscribe':
        return {};
      default:
        return undefined;
    }
  }

  private serverInfo(): unknown {
    const meta = this.known.get('server/discover')?.['_meta'];
    return (
      this.known.get('initialize')?.['serverInfo'] ??
      (isObject(meta) ? meta[serverInfoKey] : undefined) ?? { name: 'portico', title: 'Portico', version: '0.0.0' }
    );
  }

  private opening(): Record<string, unknown> {
    const known = this.known.get('initialize') ?? this.known.get('server/discover') ?? {};
    return {
      capabilities: known['capabilities'] ?? capabilities,
      instructions: [known['instructions'], this.why()].filter((text) => typeof text === 'string').join('\n\n'),
    };
  }
}

function sessionVersion(asked: unknown): string {
  return typeof asked === 'string' && sessionVersions.includes(asked) ? asked : '2025-11-25';
}
