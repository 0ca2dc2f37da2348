import type { ServerDefinition } from '../config/configTypes';
import type { ConnectionLimits } from './connectionTypes';

/** The house's bounds, but where the entry gives its own; both as they are at the time of asking. */
export function serverLimits(house: ConnectionLimits, entry: () => ServerDefinition): ConnectionLimits {
  return {
    get startMs() {
      return entry().startMs ?? house.startMs;
    },
    get requestMs() {
      return entry().requestMs ?? house.requestMs;
    },
    get idleMs() {
      return house.idleMs ?? 0;
    },
    get start() {
      return entry().start ?? house.start ?? 'onDemand';
    },
    messageBytes: house.messageBytes,
    concurrentStarts: house.concurrentStarts,
  };
}
