import type { ReadonlySignal } from '@preact/signals-core';
import type { Uri } from 'vscode';
import type { ElicitationUi } from '../../core/clientFeatures/clientFeatureTypes';
import type { ElicitationForms } from './elicitationUi';

/** The forms in which servers ask, loaded with the first question. */
export function lazyElicitationUi(extensionUri: Uri, where: ReadonlySignal<'caller' | 'portico'>): ElicitationUi {
  let loading: Promise<ElicitationForms> | undefined;
  const load = (): Promise<ElicitationForms> =>
    (loading ??= import('./elicitationUi').then(({ ElicitationForms: Loaded }) => new Loaded(extensionUri, where)));
  return {
    ask: async (request, signal) => (await load()).ask(request, signal),
    visit: async (request, signal) => (await load()).visit(request, signal),
  };
}
