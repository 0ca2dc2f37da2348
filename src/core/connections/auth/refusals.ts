import { PorticoError } from '../../../base/errors';
import { shortText } from '../../../base/plainText';
import { type AccountRecord, scopesOf } from './accountStore';
import type { AuthEntry } from './authEntry';
import { whyRefused } from './authFetch';
import type { AuthorizationUi } from './authTypes';
import { type Challenge, unite } from './challenge';
import { CHECK_ENTRY, isMachine } from './machineSignIn';
import { SignInRequired } from './signInRequired';

const NOBODY_SIGNS_IN =
  'Nobody can sign in on the command line: use the server in the editor, and sign in there. Here its entry needs a valid "Authorization" header or credentials of its own ("auth": {"grant": "clientCredentials", …}).';

/** What is to be done where a server refuses what is sent to it. */
export function signInWanted(entry: AuthEntry, challenge: Challenge | undefined): PorticoError {
  const { key } = entry.definition;
  if (isMachine(entry.settings)) {
    return new PorticoError(
      'AUTH_FAILED',
      `Server "${key}" refuses what the credentials of its entry brought (HTTP ${challenge?.status ?? 401}). ${CHECK_ENTRY}`,
      { server: key },
    );
  }
  if (challenge?.status === 403) {
    return new PorticoError(
      'ACCESS_DENIED',
      `Server "${key}" still wants more permission (${challenge.scope === undefined ? 'it does not say which' : shortText(challenge.scope)}) after it was given. Tell those who run it.`,
      { server: key },
    );
  }
  const how = entry.dependencies.ports.ui ? 'Choose Sign In… on its row.' : NOBODY_SIGNS_IN;
  return new SignInRequired(`Server "${key}" wants you to sign in. ${how}`, key, false);
}

/** The same where the server wants more than the account is allowed. */
export function moreWanted(entry: AuthEntry, challenge: Challenge, record: AccountRecord): PorticoError {
  const missing = missingScopes(challenge, record);
  const { key } = entry.definition;
  return missing === undefined
    ? signInWanted(entry, challenge)
    : new SignInRequired(
        `Server "${key}" wants more permission for this: ${shortText(missing)}. Choose Sign In… on its row to give it.`,
        key,
        true,
      );
}

/** The scopes that were not asked for yet; nothing where all were, so that to ask again is of no use. */
export function missingScopes({ scope }: Challenge, record: AccountRecord): string | undefined {
  const had = new Set([...scopesOf(record), ...record.requested]);
  return unite(scope?.split(/\s+/).filter((one) => !had.has(one)));
}

export function headerRefused({ definition: { key } }: AuthEntry): PorticoError {
  return new PorticoError(
    'ACCESS_DENIED',
    `Server "${key}" refuses the "Authorization" header of its entry (HTTP 401). Correct it, or take it out to sign in.`,
    { server: key },
  );
}

/** The way to the person's browser; throws where nobody can sign in to it, whatever they do there. */
export function needPerson({
  definition,
  serverUrl,
  settings,
  hasOwnHeader,
  dependencies,
}: AuthEntry): AuthorizationUi {
  const { key } = definition;
  const { ui } = dependencies.ports;
  const fail = (what: string): PorticoError => new PorticoError('AUTH_FAILED', what, { server: key });
  if (!ui) {
    throw fail(`Server "${key}" is not signed in to. ${NOBODY_SIGNS_IN}`);
  }
  const refused = whyRefused(serverUrl.href, serverUrl);
  if (refused !== undefined) {
    throw fail(`Server "${key}" is not signed in to, because ${refused}. Write an https address into its "url".`);
  }
  if (isMachine(settings)) {
    throw fail(
      `Server "${key}" is signed in to by the credentials of its entry, and by nobody in person. ${CHECK_ENTRY}`,
    );
  }
  if (hasOwnHeader) {
    throw fail(
      `Server "${key}" has an "Authorization" header in its entry, which goes before a sign-in. Take it out to sign in.`,
    );
  }
  return ui;
}
