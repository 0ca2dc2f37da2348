import type { ReadonlySignal } from '@preact/signals-core';
import { type Clock, systemClock } from '../../base/clock';
import { cancelled, PorticoError } from '../../base/errors';
import { Sequencer } from '../../base/sequencer';
import type { ServerDefinition } from '../config/configTypes';
import type { StartGate, StartOptions } from '../connections/connectionTypes';
import { comesFromWorkspace } from './consent';
import type { Consent, ConsentAnswer, ConsentUi } from './policyTypes';

export interface StartGateDeps {
  readonly consent: Consent;
  readonly consentUi: ConsentUi;
  /** Whether the workspace is trusted (not in Restricted Mode). */
  readonly trusted: ReadonlySignal<boolean>;
  readonly clock?: Clock;
}

/** Starts asked for within this time share a dialog, per source. */
const gatherMs = 10;

interface Batch {
  readonly definitions: Map<string, ServerDefinition>;
  readonly answers: Promise<ReadonlyMap<string, ConsentAnswer>>;
}

/**
 * Decides whether a server may start. Rejects with SERVER_OFF, SERVER_IS_PORTICO, RESTRICTED_MODE or NOT_APPROVED. Where asking is
 * allowed, what was asked for at the same time from one source is asked in one dialog, and a server never twice at a time.
 */
export function createStartGate(deps: StartGateDeps): StartGate {
  const clock = deps.clock ?? systemClock;
  /** Batches whose dialog is open or about to open, by source; the last one may still take definitions. */
  const batches = new Map<string, Batch[]>();
  const dialogs = new Sequencer();

  const open = (source: string): Batch => {
    const definitions = new Map<string, ServerDefinition>();
    const answers = dialogs.run(async () => {
      await new Promise<void>((resolve) => clock.after(gatherMs, resolve));
      gathering.delete(batch);
      // Answered meanwhile, by a review in the Servers view.
      const asked = [...definitions.values()].filter((one) => deps.consent.stateOf(one) !== 'approved');
      const given = asked.length === 0 ? new Map<string, ConsentAnswer>() : await deps.consentUi.ask(asked);
      for (const definition of asked) {
        const answer = given.get(definition.id);
        if (answer === 'run') {
          await deps.consent.approve(definition);
        } else if (answer === 'keepOff') {
          await deps.consent.refuse(definition);
        }
      }
      return given;
    });
    const batch = { definitions, answers };
    gathering.add(batch);
    batches.set(source, [...(batches.get(source) ?? []), batch]);
    const close = () => {
      gathering.delete(batch);
      const rest = (batches.get(source) ?? []).filter((other) => other !== batch);
      if (rest.length > 0) {
        batches.set(source, rest);
      } else {
        batches.delete(source);
      }
    };
    answers.then(close, close);
    return batch;
  };
  const gathering = new Set<Batch>();

  const ask = async (definition: ServerDefinition): Promise<void> => {
    const source = definition.source.id;
    const current = batches.get(source) ?? [];
    const same = current.find(({ definitions }) => {
      return definitions.get(definition.id)?.consentDigest === definition.consentDigest;
    });
    const batch = same ?? current.find((one) => gathering.has(one)) ?? open(source);
    batch.definitions.set(definition.id, definition);
    await batch.answers;
  };

  return {
    async allow(definition: ServerDefinition, options: StartOptions): Promise<void> {
      const { key } = definition;
      refuseOutright(definition, deps.trusted.value);
      if (deps.consent.stateOf(definition) === 'approved') {
        return;
      }
      if (options.interactive) {
        await orAborted(ask(definition), options.signal, `The start of ${key}`);
        // Trust, or the entry itself, may have changed while the dialog was open.
        refuseOutright(definition, deps.trusted.value);
      }
      const state = deps.consent.stateOf(definition);
      if (state !== 'approved') {
        const why = state === 'refused' ? 'is kept off' : 'has not been approved';
        throw new PorticoError(
          'NOT_APPROVED',
          `${key} from ${definition.source.label} ${why}, so it does not run. Review it in the Servers view.`,
          { server: key, show: !options.interactive },
        );
      }
    },
  };
}

function refuseOutright(definition: ServerDefinition, trusted: boolean): void {
  const { key, disabled, self, source } = definition;
  if (self) {
    throw new PorticoError(
      'SERVER_IS_PORTICO',
      `${key} leads back to Portico itself and is never started. Remove the entry from ${source.label}.`,
      { server: key },
    );
  }
  if (disabled) {
    throw new PorticoError('SERVER_OFF', `${key} is turned off. Turn it on to use it.`, {
      server: key,
    });
  }
  if (!trusted && comesFromWorkspace(definition)) {
    throw new PorticoError(
      'RESTRICTED_MODE',
      `${key} comes from this workspace, and the workspace is in Restricted Mode. Trust the workspace to run it.`,
      { server: key },
    );
  }
}

async function orAborted(step: Promise<void>, signal: AbortSignal | undefined, what: string): Promise<void> {
  if (!signal) {
    return step;
  }
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(cancelled(what));
    if (signal.aborted) {
      stop();
    }
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    await Promise.race([step, aborted]);
  } finally {
    if (stop) {
      signal.removeEventListener('abort', stop);
    }
  }
}
