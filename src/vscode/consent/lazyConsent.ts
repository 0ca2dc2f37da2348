import type { KeyValueStore } from '../../base/storage';
import type { RootsSource } from '../../core/clientFeatures/clientFeatureTypes';
import type { ConsentUi } from '../../core/policy/policyTypes';

/** The consent dialog, loaded with its first question. */
export function lazyConsentUi(state: KeyValueStore, roots: RootsSource): ConsentUi {
  let dialog: Promise<ConsentUi> | undefined;
  return {
    async ask(definitions) {
      dialog ??= import('./consentDialog').then(({ ConsentDialog }) => new ConsentDialog(state, roots));
      return (await dialog).ask(definitions);
    },
  };
}
