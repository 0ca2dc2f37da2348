import { PorticoError } from '../../../src/base/errors';
import type { AuthorizationUi } from '../../../src/core/connections/auth/authTypes';

/** A person whose browser agrees at once: the authorization server's answer is the redirect itself. */
export const authorizationUi: AuthorizationUi = {
  begin: async () => ({
    way: 'loopback',
    redirectUrl: 'http://127.0.0.1:33418/callback',
    go: async (url, signal) => {
      const response = await fetch(url, { redirect: 'manual', signal });
      const location = response.headers.get('location');
      if (location === null) {
        throw new PorticoError('AUTH_FAILED', `The authorization server answered with ${response.status}.`);
      }
      return new URL(location).searchParams;
    },
    dispose: () => undefined,
  }),
};
