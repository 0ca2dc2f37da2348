import type { ReadonlySignal } from '@preact/signals-core';
import { type Clock, systemClock } from '../../base/clock';
import { PorticoError } from '../../base/errors';
import { orAborted } from '../../base/orAborted';
import type { ServerDefinition } from '../config/configTypes';
import type { StartGate, StartOptions } from '../connections/connectionTypes';
import { comesFromWorkspace } from './consent';
import type { ConsentQuestions } from './consentQuestions';
import type { Consent, ConsentUi } from './policyTypes';

export interface StartGateDeps {
  readonly consent: Consent;
  readonly consentUi: ConsentUi;
  /** Whether the workspace is trusted (not in Restricted Mode). */
  readonly trusted: ReadonlySignal<boolean>;
  readonly clock?: Clock;
}

/**
 * Decides whether a server may start. Rejects with SERVER_OFF, SERVER_IS_PORTICO, RESTRICTED_MODE or NOT_APPROVED. Where asking is
 * allowed, what was asked for at the same time from one source is asked in one dialog, and a server never twice at a time.
 */
export function createStartGate(deps: StartGateDeps): StartGate {
  const clock = deps.clock ?? systemClock;
  let questions: Promise<ConsentQuestions> | undefined;
  const ask = async (definition: ServerDefinition): Promise<void> => {
    questions ??= import('./consentQuestions').then(({ createConsentQuestions }) =>
      createConsentQuestions({ consent: deps.consent, consentUi: deps.consentUi, clock }),
    );
    await (await questions).ask(definition);
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
