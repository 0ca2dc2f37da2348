import type { KeyValueStore } from '../../base/storage';
import type { ServerDefinition } from '../config/configTypes';
import type { SamplingDuration } from './samplingTypes';

interface Standing {
  readonly server: string;
  /** The consent digest of the server that it was given to: what runs something else asks anew. */
  readonly digest: string;
  readonly allowed: boolean;
}

const storeKey = 'sampling.answers';

/** What a person answered a server for longer than one request. */
export class SamplingGrants {
  private readonly session = new Map<string, Standing>();

  constructor(private readonly state: KeyValueStore) {}

  /** Whether a server may use models without being asked about; nothing where the person has to say. */
  of(definition: ServerDefinition): boolean | undefined {
    const entry = entryOf(definition);
    const answers = [this.session.get(entry), Object.hasOwn(this.always(), entry) ? this.always()[entry] : undefined];
    return answers.find((answer) => answer?.digest === definition.consentDigest)?.allowed;
  }

  async add(definition: ServerDefinition, allowed: boolean, duration: SamplingDuration): Promise<void> {
    if (duration === 'once') {
      return;
    }
    const answer = { server: definition.id, digest: definition.consentDigest, allowed };
    this.session.set(entryOf(definition), answer);
    if (duration === 'always') {
      await this.state.set(storeKey, { ...this.always(), [entryOf(definition)]: answer });
    }
  }

  async forget(server?: string): Promise<void> {
    const stays = ([, answer]: readonly [string, Standing]): boolean =>
      server !== undefined && answer.server !== server;
    for (const [entry, answer] of this.session) {
      if (!stays([entry, answer])) {
        this.session.delete(entry);
      }
    }
    await this.state.set(storeKey, Object.fromEntries(Object.entries(this.always()).filter(stays)));
  }

  private always(): Readonly<Record<string, Standing>> {
    const stored = this.state.get<unknown>(storeKey);
    return typeof stored === 'object' && stored !== null ? (stored as Record<string, Standing>) : {};
  }
}

function entryOf({ source, key }: ServerDefinition): string {
  return `${source.id}\n${key}`;
}
