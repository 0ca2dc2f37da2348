import { DisposableStore } from '../../base/disposable';
import type { ConsentUi } from '../../core/policy/policyTypes';
import type { Contribution } from '../interop/contribution';
import { registerRunCommands } from './runCommands';
import { ServersView } from './serversView';
import { startWithWindow } from './startWithWindow';
import { registerViewCommands } from './viewCommands';

/** The Servers view and every command that is about a server. */
export function serversContribution(_consentUi: ConsentUi): Contribution {
  return {
    name: 'servers',
    register(services) {
      const store = new DisposableStore();
      store.add(new ServersView(services));
      store.add(registerRunCommands(services));
      store.add(registerViewCommands(services));
      store.add(startWithWindow(services));
      return store;
    },
  };
}
