import type { CallToolResult, Tool } from '@modelcontextprotocol/client';
import { signal, type Signal } from '@preact/signals-core';
import { systemClock } from '../../../../src/base/clock';
import type { Logger } from '../../../../src/base/log';
import { NullLogger } from '../../../../src/base/log';
import { MemoryStore } from '../../../../src/base/storage';
import { createCatalog } from '../../../../src/core/catalog/catalog';
import type { Catalog } from '../../../../src/core/catalog/catalogTypes';
import type { ServerDefinition } from '../../../../src/core/config/configTypes';
import { createPolicy, type Policy, type PolicyDeps } from '../../../../src/core/policy/policy';
import type { ApprovalAnswer, ApprovalRequest, ApprovalUi, Caller } from '../../../../src/core/policy/policyTypes';
import { type FakeServer, server } from '../catalog/catalogFixtures';

export function definition(key: string, more: Partial<ServerDefinition> = {}): ServerDefinition {
  return {
    id: key,
    key,
    source: { id: 'ws:.mcp.json', kind: 'mcpJson', scope: 'folder', label: '.mcp.json' },
    owner: 'portico',
    launch: { type: 'stdio', command: 'run', args: [], env: {} },
    disabled: false,
    self: false,
    inputs: [],
    consentDigest: `consent-${key}`,
    launchDigest: `launch-${key}`,
    ...more,
  };
}

export class RecordingLogger extends NullLogger implements Logger {
  readonly warnings: string[] = [];

  override warn(message?: string): void {
    this.warnings.push(message ?? '');
  }
}

/** A prompt that a test answers by hand. */
export class FakeApprovalUi implements ApprovalUi {
  readonly asked: { readonly request: ApprovalRequest; readonly answer: (answer?: ApprovalAnswer) => void }[] = [];
  open = 0;

  ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer | undefined> {
    this.open += 1;
    return new Promise((resolve) => {
      let done = false;
      const answer = (given?: ApprovalAnswer) => {
        this.open -= done ? 0 : 1;
        done = true;
        resolve(given);
      };
      signal.addEventListener('abort', () => answer(), { once: true });
      this.asked.push({ request, answer });
    });
  }
}

export const caller = (kind: Caller['kind']): Caller => ({ kind, label: kind });
export const allow = (duration: 'once' | 'session' | 'always', scope: 'tool' | 'server' = 'tool'): ApprovalAnswer => ({
  kind: 'allow',
  duration,
  scope,
});
export const text = (value: string): CallToolResult => ({ content: [{ type: 'text', text: value }] });

/** Lets everything that is ready run. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

export interface World {
  readonly policy: Policy;
  readonly catalog: Catalog;
  readonly server: FakeServer;
  readonly definitions: Signal<readonly ServerDefinition[]>;
  readonly ui: FakeApprovalUi;
  readonly log: RecordingLogger;
  readonly sent: { readonly name: string; readonly args: unknown }[];
}

/** A policy over one server `s` with these tools; results by tool name, "ok" otherwise. */
export function world(
  tools: readonly Tool[],
  results: Readonly<Record<string, unknown>> = {},
  more: Partial<PolicyDeps> = {},
): World {
  const one = server('s', tools);
  const catalog = createCatalog(signal([one]));
  const definitions = signal<readonly ServerDefinition[]>([definition('s')]);
  const ui = new FakeApprovalUi();
  const log = new RecordingLogger();
  const sent: { name: string; args: unknown }[] = [];
  const policy = createPolicy({
    catalog,
    upstream: async (ref, args) => {
      sent.push({ name: ref.name, args });
      return (results[ref.name] ?? text('ok')) as CallToolResult;
    },
    definitionOf: (id) => definitions.value.find((one) => one.id === id),
    ensureListed: async () => undefined,
    approvalUi: ui,
    state: new MemoryStore(),
    consentState: new MemoryStore(),
    clock: systemClock,
    log,
    ...more,
  });
  return { policy, catalog, server: one, definitions, ui, log, sent };
}
