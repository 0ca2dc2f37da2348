import { readAsked } from './readAsked';
import { isReply, readReply } from './readReply';

/** A message of a server as the SDK takes it, so that none is dropped for what is beside its point. */
export function readIncoming<T>(message: T, server: string): T {
  return isReply(message) ? readReply(message, server) : readAsked(message);
}
