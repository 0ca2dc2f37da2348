import { signal } from '@preact/signals-core';
import type { Clock } from '../../base/clock';
import { toDisposable } from '../../base/disposable';
import type { LogFactory } from '../../base/log';
import type { KeyValueStore } from '../../base/storage';
import type { ClientFeature } from '../connections/connectionTypes';
import { reader } from './reader';
import type { SamplingDesk } from './samplingDesk';
import type { SamplingGrants } from './samplingGrants';
import type { Sampling, SamplingRecord, SamplingSource } from './samplingTypes';

const params = reader(async (value) => (await import('./readSampling')).readSampling(value));

export interface SamplingDependencies {
  readonly source: SamplingSource | undefined;
  /** Where answers for good are kept. */
  readonly state: KeyValueStore;
  readonly logs: LogFactory;
  readonly clock: Clock;
}

/** What servers had models do, and the feature by which they ask; there is none without ports. */
export function createSampling(deps: SamplingDependencies): Sampling & { readonly features: readonly ClientFeature[] } {
  const { source, state } = deps;
  const records = signal<readonly SamplingRecord[]>([]);
  let grants: Promise<SamplingGrants> | undefined;
  let desk: Promise<SamplingDesk> | undefined;
  const loadGrants = () => (grants ??= import('./samplingGrants').then((module) => new module.SamplingGrants(state)));
  const loadDesk = (ports: SamplingSource) =>
    (desk ??= Promise.all([import('./samplingDesk'), ports(), loadGrants()]).then(
      ([module, loaded, given]) => new module.SamplingDesk({ ...deps, ports: loaded, grants: given, records }),
    ));
  return {
    records,
    forget: async (server) => (await loadGrants()).forget(server),
    features: source ? [samplingFeature(() => loadDesk(source))] : [],
  };
}

/**
 * Sampling (spec: client/sampling). The stateless era's `input_required` goes to the same handler. Context of servers
 * (`includeContext`) is not declared and never added.
 */
function samplingFeature(desk: () => Promise<SamplingDesk>): ClientFeature {
  return {
    capabilities: { sampling: { tools: {} } },
    attach(client, server, questions) {
      const gone = new AbortController();
      client.setRequestHandler('sampling/createMessage', { params }, async (params, { mcpReq }) => {
        const over = questions.untilOver();
        const signal = AbortSignal.any([mcpReq.signal, gone.signal]);
        return (await desk()).answer({ server, params, signal, over, answerer: questions.answererOf(mcpReq.signal) });
      });
      return toDisposable(() => {
        gone.abort();
        client.removeRequestHandler('sampling/createMessage');
      });
    },
  };
}
