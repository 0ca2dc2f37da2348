import { isObject } from '../base/jsonObject';
import { type AgentMessage } from './agentMessage';
import type { KnownOffers } from './knownOffers';

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

const help =
  'Open the folder in the editor, and let agents see it there by the command “Portico: Connect an Agent…”. Then try again.';

/** What an agent is told while no window serves it. `why` says why there is none. */
export class OfflineAnswers {
  constructor(
    private readonly known: KnownOffers,
    private readonly why: () => string,
  ) {}

  /** The whole answer to a request. */
  answer(message: AgentMessage): string {
    const { id, method = '', statelessVersion } = message;
    const result = this.result(method, message.params, statelessVersion !== undefined);
    return JSON.stringify({
      jsonrpc: '2.0',
      id,
      ...(result === undefined ? { error: { code: -32_603, message: this.sentence() } } : { result }),
    });
  }

  /** The answer to a request whose window went away while it worked on it. */
  lost({ id, method, statelessVersion }: AgentMessage): string {
    const text = 'The editor window went away before it answered: what was asked for may or may not have been done.';
    const envelope = statelessVersion === undefined ? {} : { resultType: 'complete' };
    return JSON.stringify({
      jsonrpc: '2.0',
      id,
      ...(method === 'tools/call'
        ? { result: { ...envelope, content: [{ type: 'text', text }], isError: true } }
        : { error: { code: -32_603, message: text } }),
    });
  }

  private sentence(): string {
    return `${this.why()} ${help}`;
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
        return { content: [{ type: 'text', text: this.sentence() }], isError: true, ...envelope };
      case 'ping':
      case 'logging/setLevel':
      case 'resources/subscribe':
      case 'resources/unsubscribe':
        return stateless ? undefined : {};
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
      instructions: [known['instructions'], this.sentence()].filter((text) => typeof text === 'string').join('\n\n'),
    };
  }
}

function sessionVersion(asked: unknown): string {
  return typeof asked === 'string' && sessionVersions.includes(asked) ? asked : '2025-11-25';
}
