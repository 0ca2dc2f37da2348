import { toProblem } from '../../../base/errors';
import { plainText } from '../../../base/plainText';
import type { AccountRecord } from './accountStore';
import { scopesOf } from './accountStore';
import type { DiagnosisStep } from './authTypes';
import type { Challenge } from './challenge';
import { type Discovered, isSameIssuer, resourceAddresses, shown } from './discovery';
import type { ServerAuth } from './serverAuth';
import { whyNoPkce } from './signIn';

type Add = (step: Partial<DiagnosisStep> & Pick<DiagnosisStep, 'title' | 'outcome' | 'detail'>) => void;

export interface DiagnosisOptions {
  readonly clientMetadataUrl: string | undefined;
  readonly now: number;
  readonly signal: AbortSignal;
}

/** Walks the steps of a sign-in up to the browser. Stops at the first that fails, for all later ones build on it. */
export async function diagnose(
  auth: ServerAuth,
  onStep: (step: DiagnosisStep) => void,
  { clientMetadataUrl, now, signal }: DiagnosisOptions,
): Promise<void> {
  const add: Add = (step) => {
    signal.throwIfAborted();
    onStep({ addresses: [], ...step });
  };
  const reached = await server(auth, add);
  if (!reached) {
    return;
  }
  const { challenge } = reached;
  const found = await discovered(auth, challenge, add);
  if (found) {
    pkce(found, add);
    registration(found, auth, clientMetadataUrl, add);
    scopes(found, challenge, auth, add);
  }
  await account(auth, found, now, add);
}

async function server(auth: ServerAuth, add: Add): Promise<{ readonly challenge: Challenge | undefined } | undefined> {
  const url = auth.serverUrl.href;
  let challenge: Challenge | undefined;
  try {
    challenge = await auth.ask();
  } catch (error) {
    const answer = sentence(error);
    add({
      title: 'Reach the server',
      outcome: 'failed',
      detail: answer,
      addresses: [{ url: shown(url), answer: 'no answer' }],
      advice: 'Check its "url" and the network.',
    });
    return undefined;
  }
  const status = challenge ? `HTTP ${challenge.status}` : 'answered without a sign-in';
  add({
    title: 'Reach the server',
    outcome: 'ok',
    detail: 'It answers.',
    addresses: [{ url: shown(url), answer: status }],
  });
  if (auth.hasOwnHeader) {
    add({
      title: 'The entry’s own header',
      outcome: challenge ? 'failed' : 'ok',
      detail: `Its "Authorization" header goes before a sign-in, and the server ${challenge ? 'refuses' : 'takes'} it.`,
      ...(challenge ? { advice: 'Correct the header, or take it out to sign in.' } : {}),
    });
    return challenge ? undefined : { challenge };
  }
  if (!challenge) {
    add({
      title: 'The server’s challenge',
      outcome: 'warning',
      detail: 'It wants no sign-in for a first request. It may for others.',
      advice: 'Sign in only if some of its tools refuse to work.',
    });
  } else {
    add({
      title: 'The server’s challenge',
      outcome: challenge.header === undefined ? 'warning' : 'ok',
      detail:
        challenge.header === undefined
          ? 'It refuses without saying how to sign in (no WWW-Authenticate header), so its well-known addresses are asked.'
          : `It says: ${plainText(challenge.header).slice(0, 500)}`,
      ...(challenge.header === undefined ? { advice: 'Those who run it should send the header.' } : {}),
    });
  }
  return { challenge };
}

async function discovered(
  auth: ServerAuth,
  challenge: Challenge | undefined,
  add: Add,
): Promise<Discovered | undefined> {
  let found: Discovered;
  try {
    found = await auth.discover(challenge);
  } catch (error) {
    add({
      title: 'Find who signs in',
      outcome: 'failed',
      detail: sentence(error),
      addresses: resourceAddresses(auth.serverUrl, challenge).map((url) => ({ url: shown(url), answer: 'asked' })),
      advice: 'Send this to those who run the server.',
    });
    return undefined;
  }
  const { resource, metadata, authorizationServer } = found;
  add({
    title: 'Metadata of the server',
    outcome: resource ? 'ok' : 'warning',
    detail: resource
      ? `It is about ${shown(resource.resource)} and names ${(resource.authorization_servers ?? []).map(shown).join(', ') || 'no authorization server'}.`
      : 'There is none, so the server itself is taken for its authorization server, as before 2025-06-18.',
    addresses: found.triedResource.map(({ url, answer }) => ({ url: shown(url), answer })),
    ...(resource ? {} : { advice: 'Those who run it should publish protected resource metadata (RFC 9728).' }),
  });
  add({
    title: 'Metadata of the authorization server',
    outcome: metadata ? 'ok' : 'warning',
    detail: metadata
      ? `Pages at ${shown(metadata.authorization_endpoint)}, tokens at ${shown(metadata.token_endpoint)}.`
      : `${shown(authorizationServer)} has none; /authorize, /token and /register are tried.`,
    addresses: found.triedServer.map(({ url, answer }) => ({ url: shown(url), answer })),
    ...(metadata ? {} : { advice: 'Those who run it should publish metadata (RFC 8414).' }),
  });
  if (metadata) {
    const same = metadata.issuer === authorizationServer;
    add({
      title: 'Issuer',
      outcome: same ? 'ok' : 'warning',
      detail: same
        ? `${shown(metadata.issuer)}, as the server says.`
        : `${shown(metadata.issuer)}; the server says ${shown(authorizationServer)}. Only a slash differs, which is let pass.`,
      ...(same ? {} : { advice: 'Those who run them should make both the same.' }),
    });
  }
  return found;
}

function pkce(found: Discovered, add: Add): void {
  const problem = whyNoPkce(found);
  add({
    title: 'PKCE',
    outcome: problem === undefined ? 'ok' : 'failed',
    detail:
      problem === undefined
        ? found.metadata
          ? 'By S256.'
          : 'Not said; used all the same.'
        : `The authorization server ${plainText(problem)}. Nobody is sent there.`,
    ...(problem === undefined ? {} : { advice: 'Those who run it must offer S256 and say so in their metadata.' }),
  });
}

function registration(
  { metadata }: Discovered,
  { settings }: ServerAuth,
  clientMetadataUrl: string | undefined,
  add: Add,
): void {
  const title = 'Registration of Portico';
  if (settings.clientId !== undefined) {
    const secret = settings.clientSecret === undefined ? 'without a secret' : 'with a secret';
    const kind = settings.grant === 'clientCredentials' ? '; the client signs in for itself' : '';
    add({ title, outcome: 'ok', detail: `By the client id of the entry, ${secret}${kind}.` });
  } else if (metadata?.client_id_metadata_document_supported === true && clientMetadataUrl !== undefined) {
    add({ title, outcome: 'ok', detail: `By the metadata document ${shown(clientMetadataUrl)}.` });
  } else if (!metadata || metadata.registration_endpoint !== undefined) {
    const at = metadata?.registration_endpoint;
    add({
      title,
      outcome: 'ok',
      detail: `Portico registers itself${at === undefined ? '' : ` at ${shown(at)}`}, with the address that the browser comes back to.`,
    });
  } else {
    add({
      title,
      outcome: 'failed',
      detail: 'The authorization server registers no clients by itself, and the entry has no client id.',
      advice: 'Register Portico there by hand and put what you get into the entry: "auth": {"clientId": "…"}.',
    });
  }
}

function scopes({ resource }: Discovered, challenge: Challenge | undefined, { settings }: ServerAuth, add: Add): void {
  const [from, wanted] = challenge?.scope
    ? ['the challenge', challenge.scope]
    : resource?.scopes_supported?.length
      ? ['the server’s metadata', resource.scopes_supported.join(' ')]
      : ['nobody', ''];
  const own = settings.scopes?.length ? ` Of the entry: ${settings.scopes.join(' ')}.` : '';
  const text = wanted === '' ? 'None is asked for.' : `Asked for, as ${from} says: ${plainText(wanted).slice(0, 500)}.`;
  add({ title: 'Scopes', outcome: 'ok', detail: `${text}${own}` });
}

async function account(auth: ServerAuth, found: Discovered | undefined, now: number, add: Add): Promise<void> {
  const title = 'Account';
  const kept = await auth.keptAccount();
  if (!kept) {
    add({
      title,
      outcome: 'skipped',
      detail: 'Nobody is signed in here.',
      advice: 'Choose Sign In…',
    });
    return;
  }
  const { entry, record } = kept;
  const issuer = found && (found.metadata?.issuer ?? found.authorizationServer);
  if (issuer !== undefined && !isSameIssuer(issuer, record.issuer)) {
    add({
      title,
      outcome: 'failed',
      detail: `${entry.label} is from ${shown(record.issuer)}, but the server now names ${shown(issuer)}. It is not used there.`,
      advice: 'Sign in again.',
    });
    return;
  }
  add({ title, outcome: isUsable(record, now) ? 'ok' : 'warning', ...accountText(entry.label, record, now) });
}

function isUsable({ expiresAt, tokens }: AccountRecord, now: number): boolean {
  return tokens.refresh_token !== undefined || expiresAt === undefined || expiresAt > now;
}

function accountText(label: string, record: AccountRecord, now: number): Pick<DiagnosisStep, 'detail' | 'advice'> {
  const { expiresAt, tokens } = record;
  const scope = scopesOf(record).join(' ');
  const minutes = expiresAt === undefined ? undefined : Math.round((expiresAt - now) / 60_000);
  const ends =
    minutes === undefined
      ? 'No end is known of its token.'
      : minutes > 0
        ? `Its token ends in ${minutes} min.`
        : `Its token ended ${-minutes} min ago.`;
  const renews = tokens.refresh_token === undefined ? 'It cannot be renewed without you.' : 'It is renewed by itself.';
  return {
    detail: `${label}, client ${shown(record.client.client_id)}${scope === '' ? '' : `, scopes: ${scope.slice(0, 300)}`}. ${ends} ${renews}`,
    ...(isUsable(record, now) ? {} : { advice: 'Sign in again.' }),
  };
}

function sentence(error: unknown): string {
  return plainText(toProblem(error).message);
}
