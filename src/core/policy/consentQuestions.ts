import type { Clock } from '../../base/clock';
import { Sequencer } from '../../base/sequencer';
import type { ServerDefinition } from '../config/configTypes';
import type { Consent, ConsentAnswer, ConsentUi } from './policyTypes';

export interface ConsentQuestions {
  /** Settles when the person has answered, or not; what they said is in the consent. */
  ask(definition: ServerDefinition): Promise<void>;
}

/** Starts asked for within this time share a dialog, per source. */
const gatherMs = 10;

interface Batch {
  readonly definitions: Map<string, ServerDefinition>;
  readonly answers: Promise<ReadonlyMap<string, ConsentAnswer>>;
}

/** What was asked for at the same time from one source is asked in one dialog, and a server never twice at a time. */
export function createConsentQuestions(deps: {
  readonly consent: Consent;
  readonly consentUi: ConsentUi;
  readonly clock: Clock;
}): ConsentQuestions {
  /** Batches whose dialog is open or about to open, by source; the last one may still take definitions. */
  const batches = new Map<string, Batch[]>();
  const gathering = new Set<Batch>();
  const dialogs = new Sequencer();

  const open = (source: string): Batch => {
    const definitions = new Map<string, ServerDefinition>();
    const answers = dialogs.run(async () => {
      await new Promise<void>((resolve) => deps.clock.after(gatherMs, resolve));
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

  return { ask };
}
