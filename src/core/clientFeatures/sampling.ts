import type { CreateMessageRequestParams, StandardSchemaV1 } from '@modelcontextprotocol/client';
import { signal } from '@preact/signals-core';
import type { Clock } from '../../base/clock';
import { toDisposable } from '../../base/disposable';
import type { LogFactory } from '../../base/log';
import type { KeyValueStore } from '../../base/storage';
import type { ClientFeature } from '../connections/connectionTypes';
import type { SamplingDesk } from './samplingDesk';
import type { SamplingGrants } from './samplingGrants';
import type { Sampling, SamplingPorts, SamplingRecord } from './samplingTypes';

/** Reads what servers send, in place of the SDK's strict schema; loaded with the first request. */
const params: StandardSchemaV1<unknown, CreateMessageRequestParams> = {
  '~standard': {
    version: 1,
    vendor: 'portico',
    validate: async (value) => (await import('./readSampling')).readSampling(value),
  },
};

/** What sampling needs beside its ports. */
export interface SamplingDependencies {
  readonly ports: SamplingPorts | undefined;
  /** Where answers for good are kept. */
  readonly state: KeyValueStore;
  readonly logs: LogFactory;
  readonly clock: Clock;
}

/** What servers had models do, and the feature by which they ask; there is none without ports. */
export function createSampling(deps: SamplingDependencies): Sampling & { readonly features: readonly ClientFeature[] } {
  const { ports, state } = deps;
  const records = signal<readonly SamplingRecord[]>([]);
  let grants: Promise<SamplingGrants> | undefined;
  let desk: Promise<SamplingDesk> | undefined;
  const loadGrants = () => (grants ??= import('./samplingGrants').then((module) => new module.SamplingGrants(state)));
  const features = (given: SamplingPorts): readonly ClientFeature[] => [
    samplingFeature(
      () =>
        (desk ??= Promise.all([import('./samplingDesk'), loadGrants()]).then(
          ([module, loaded]) => new module.SamplingDesk({ ...deps, ports: given, grants: loaded, records }),
        )),
    ),
  ];
  return {
    records,
    forget: async (server) => (await loadGrants()).forget(server),
    features: ports ? features(ports) : [],
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
        const signals = [mcpReq.signal, gone.signal];
        const signal = AbortSignal.any(over ? [...signals, over] : signals);
        return (await desk()).answer({ server, params, signal, interactive: over !== undefined });
      });
      return toDisposable(() => {
        gone.abort();
        client.removeRequestHandler('sampling/createMessage');
      });
    },
  };
}
