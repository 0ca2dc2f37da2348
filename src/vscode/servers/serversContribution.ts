import { type Disposable, DisposableStore } from '../../base/disposable';
import type { Contribution, Services } from '../interop/contribution';
import { registerRunCommands, type Review } from './runCommands';
import { ServersView } from './serversView';

/** The Servers view and every command that is about a server. */
export function serversContribution(review: (services: Services) => Review): Contribution {
  return {
    name: 'servers',
    register(services): Disposable {
      const store = new DisposableStore();
      store.add(new ServersView(services));
      store.add(registerRunCommands(services, review(services)));
      return store;
    },
  };
}
