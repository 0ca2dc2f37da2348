import { signal } from '@preact/signals-core';
import type { KeyValueStore } from '../../base/storage';
import type { ServerDefinition } from '../config/configTypes';
import type { Consent } from './policyTypes';

interface Answer {
  readonly digest: string;
  readonly allowed: boolean;
}

const storeKey = 'consent';

export interface ConsentDeps {
  readonly consentState: KeyValueStore;
  /** True in the CLI: naming a file is consent to what it holds. */
  readonly implicitConsent?: boolean;
}

/** Whether others than the person can have written the entry: then it runs only after the person saw what it runs. */
export function comesFromWorkspace({ source }: ServerDefinition): boolean {
  return source.scope !== 'user' && source.kind !== 'file';
}

/**
 * Consent by entry (its source and key), bound to the digest of what would run: another command, URL, variable or header asks
 * again. An entry of the person's own scope needs none, and can be refused all the same.
 */
export function createConsent(deps: ConsentDeps): Consent {
  const version = signal(0);
  const entryOf = ({ source, key }: ServerDefinition) => `${source.id}\n${key}`;
  const answers = (): Readonly<Record<string, Answer>> => {
    const stored = deps.consentState.get<unknown>(storeKey);
    return typeof stored === 'object' && stored !== null ? (stored as Record<string, Answer>) : {};
  };
  const set = async (definition: ServerDefinition, allowed: boolean) => {
    const answer = { digest: definition.consentDigest, allowed };
    // The store answers with the new value at once; the promise is about its being kept.
    const kept = deps.consentState.set(storeKey, { ...answers(), [entryOf(definition)]: answer });
    version.value += 1;
    await kept;
  };
  return {
    version,
    stateOf(definition) {
      void version.value;
      const stored = answers();
      const entry = entryOf(definition);
      const answer = Object.hasOwn(stored, entry) ? stored[entry] : undefined;
      if (answer?.digest === definition.consentDigest) {
        return answer.allowed ? 'approved' : 'refused';
      }
      return deps.implicitConsent || !comesFromWorkspace(definition) ? 'approved' : 'needed';
    },
    approve: (definition) => set(definition, true),
    refuse: (definition) => set(definition, false),
  };
}
