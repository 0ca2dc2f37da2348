import { PorticoError } from '../base/errors';

/** What is there, maybe, and is not given to this client. To the client it is a resource that there is not. */
export class RefusedError extends PorticoError {
  constructor(message: string) {
    super('RESOURCE_UNKNOWN', message);
  }
}
