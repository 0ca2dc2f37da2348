import { createHash } from 'node:crypto';
import type { KeyValueStore } from '../../base/storage';
import type { CatalogTool } from '../catalog/catalogTypes';
import type { ServerDefinition } from '../config/configTypes';
import type { ApprovalAnswer } from './policyTypes';

/** What was allowed, and for whom: `bound` is a digest over everything that must still be the same. */
interface Grant {
  readonly server: string;
  readonly bound: string;
}

const storeKey = 'approvals.always';
const maxAlways = 1_000;

/**
 * What the person allowed. A grant for a tool holds for this exposed name, this launch of the server and this definition of the
 * tool; one for a server, for this launch. Whatever changes asks again.
 */
export class Grants {
  private readonly session = new Map<string, Grant>();
  private readonly digests = new WeakMap<object, string>();

  constructor(private readonly state: KeyValueStore) {}

  allows(tool: CatalogTool, definition: ServerDefinition): boolean {
    const bounds = [this.boundTo(tool, definition, 'tool'), this.boundTo(tool, definition, 'server')];
    return bounds.some((bound) => this.session.has(bound)) || this.always().some(({ bound }) => bounds.includes(bound));
  }

  async add(tool: CatalogTool, definition: ServerDefinition, answer: ApprovalAnswer): Promise<void> {
    if (answer.kind === 'deny' || answer.duration === 'once') {
      return;
    }
    const grant = { server: definition.id, bound: this.boundTo(tool, definition, answer.scope) };
    // In memory first: what waits for the same answer need not wait for the disk.
    this.session.set(grant.bound, grant);
    if (answer.duration === 'always') {
      const others = this.always().filter(({ bound }) => bound !== grant.bound);
      await this.state.set(storeKey, [...others, grant].slice(-maxAlways));
    }
  }

  async forget(server?: string): Promise<void> {
    for (const [bound, grant] of this.session) {
      if (server === undefined || grant.server === server) {
        this.session.delete(bound);
      }
    }
    await this.state.set(
      storeKey,
      server === undefined ? [] : this.always().filter((grant) => grant.server !== server),
    );
  }

  private always(): readonly Grant[] {
    const stored = this.state.get<unknown>(storeKey);
    return Array.isArray(stored) ? stored.filter(isGrant) : [];
  }

  private boundTo(tool: CatalogTool, definition: ServerDefinition, scope: 'tool' | 'server'): string {
    const launch = [scope, definition.id, definition.source.id, definition.consentDigest];
    return digest(scope === 'server' ? launch : [...launch, tool.exposedName, this.toolDigest(tool)]);
  }

  private toolDigest({ tool }: CatalogTool): string {
    let made = this.digests.get(tool);
    if (made === undefined) {
      const { name, title, description, inputSchema, outputSchema, annotations } = tool;
      made = digest([name, title, description, inputSchema, outputSchema, annotations]);
      this.digests.set(tool, made);
    }
    return made;
  }
}

function isGrant(value: unknown): value is Grant {
  return (
    typeof value === 'object' &&
    value !== null &&
    'server' in value &&
    typeof value.server === 'string' &&
    'bound' in value &&
    typeof value.bound === 'string'
  );
}

/** A digest that the order of keys does not change. */
function digest(value: unknown): string {
  const text = JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
  return createHash('sha256').update(text).digest('hex');
}
