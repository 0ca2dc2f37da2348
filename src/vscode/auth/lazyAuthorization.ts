import { type Uri, window } from 'vscode';
import type { Disposable } from '../../base/disposable';
import type { Logger } from '../../base/log';
import type { AuthorizationUi } from '../../core/connections/auth/authTypes';
import type { BrowserTrips } from './browserTrips';

/** The way to the person's browser, loaded with the first sign-in or the first return. */
export function lazyAuthorizationUi(log: Logger): AuthorizationUi & Disposable {
  let trips: Promise<BrowserTrips> | undefined;
  const load = () => (trips ??= import('./browserTrips').then((it) => new it.BrowserTrips(log)));
  const handler = window.registerUriHandler({ handleUri: async (uri: Uri) => (await load()).receive(uri) });
  return { begin: async (...trip) => (await load()).begin(...trip), dispose: () => handler.dispose() };
}
