import { PorticoError } from '../../../base/errors';

/** A server wants a sign-in that only the person can do: none is there, it ran out, or it lacks a permission. */
export class SignInRequired extends PorticoError {
  constructor(
    message: string,
    server: string,
    /** What was allowed before still is, so that the session goes on. */
    readonly keepsSession: boolean,
  ) {
    super('UNAUTHORIZED', message, { server });
  }
}
