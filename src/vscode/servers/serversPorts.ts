import type { ServerDefinition } from '../../core/config/configTypes';
import type { ConsentUi } from '../../core/policy/policyTypes';

/** What the servers' surface is given beside the services. */
export interface ServersPorts {
  readonly consentUi: ConsentUi;
  /** Keeps a secret that a pasted text held, as the value of an input of the server. */
  readonly keepSecret: (definition: ServerDefinition, input: string, value: string) => Promise<void>;
}
