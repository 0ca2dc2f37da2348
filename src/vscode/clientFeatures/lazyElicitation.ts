import type { Uri } from 'vscode';
import type { ElicitationUi } from '../../core/clientFeatures/clientFeatureTypes';

/** The forms in which servers ask, loaded with the first question. */
export function lazyElicitationUi(extensionUri: Uri): ElicitationUi {
  let loading: Promise<ElicitationUi> | undefined;
  return {
    ask: async (request, signal) => {
      loading ??= import('./elicitationUi').then(({ ElicitationForms }) => new ElicitationForms(extensionUri));
      return (await loading).ask(request, signal);
    },
  };
}
