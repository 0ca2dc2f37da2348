import { DisposableStore } from '../../base/disposable';
import { commands } from '../../ids';
import { registerCommand } from '../interop/commands';
import type { Contribution, Services } from '../interop/contribution';
import type { SamplingParts } from './samplingParts';

/** Sampling by the editor's models, loaded with the first request of a server. */
export interface EditorSampling {
  readonly load: () => Promise<SamplingParts>;
  readonly contribution: Contribution;
}

/** @param services there once the first request comes */
export function editorSampling(services: () => Services): EditorSampling {
  const store = new DisposableStore();
  let loading: Promise<SamplingParts> | undefined;
  const load = () =>
    (loading ??= import('./samplingParts').then(({ samplingParts }) => store.add(samplingParts(services()))));
  return {
    load,
    contribution: {
      name: 'sampling',
      register: ({ hub, documents, logs }) => {
        store.add(registerCommand(commands.continueReview, logs, async () => (await load()).ui.continue()));
        store.add(
          registerCommand(commands.showModelRequests, logs, async (row) =>
            (await import('./modelRequests')).showModelRequests(hub, documents, row),
          ),
        );
        return store;
      },
    },
  };
}
