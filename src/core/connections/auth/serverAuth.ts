import type { FetchLike, StoredOAuthTokens } from '@modelcontextprotocol/client';
import type { Clock } from '../../../base/clock';
import { type Disposable, DisposableStore } from '../../../base/disposable';
import { PorticoError } from '../../../base/errors';
import type { Logger } from '../../../base/log';
import type { AuthSettings, ServerDefinition } from '../../config/configTypes';
import type { NetworkSettings } from '../remote/networkTypes';
import type { ResolvedRemote } from '../remote/remoteTypes';
import { type AccountEntry, type AccountRecord, AccountStore, scopesOf } from './accountStore';
import { AuthFetch, whyRefused } from './authFetch';
import type { AuthPorts } from './authTypes';
import { type Challenge, isChallenge, readChallenge, unite } from './challenge';
import { type Discovered, discover } from './discovery';
import type { FileLock } from './fileLock';
import { CHECK_ENTRY, isMachine, signInAsMachine } from './machineSignIn';
import { probe } from './probe';
import { revoke } from './revoke';
import { signIn } from './signIn';
import { SignInRequired } from './signInRequired';
import { accountName, expiryOf } from './tokenFacts';
import { refreshTokens } from './tokenRefresh';

type Reply = Awaited<ReturnType<FetchLike>>;

export interface ServerAuthDependencies {
  readonly ports: AuthPorts;
  readonly lock: FileLock;
  readonly clock: Clock;
  readonly log: Logger;
  /** The environment's alone when absent. */
  readonly network?: NetworkSettings;
}

export interface Kept {
  readonly entry: AccountEntry;
  readonly record: AccountRecord;
}

/** So long before its end a token is renewed, in milliseconds. */
const EARLY_MS = 30_000;

/** The sign-in of one entry to its server: adds the token to what is sent there, renews it, and says when a person must act. */
export class ServerAuth implements Disposable {
  readonly store: AccountStore;
  readonly serverUrl: URL;
  private readonly disposables = new DisposableStore();
  private readonly http: AuthFetch;
  /** As last read; re-read whenever it matters whether another window has newer. */
  private kept: Promise<Kept | undefined> | undefined;
  private challenge: Challenge | undefined;
  private signing: Promise<void> | undefined;
  /** No request has passed yet with what the last sign-in brought. */
  private isUnproven = false;
  /** Where no person signs in: what was got for the client itself, and as what scopes it was wanted. */
  private machine: { readonly tokens: StoredOAuthTokens; readonly scope: string | undefined } | undefined;

  constructor(
    readonly definition: ServerDefinition,
    private readonly launch: ResolvedRemote,
    private readonly dependencies: ServerAuthDependencies,
  ) {
    this.serverUrl = new URL(launch.url);
    this.serverUrl.hash = '';
    const { ports, clock, log, network } = dependencies;
    this.store = new AccountStore(ports.secrets, this.serverUrl.href, log);
    this.http = this.disposables.add(new AuthFetch(definition.key, this.serverUrl, clock, network));
    this.disposables.add(
      ports.secrets.onDidChange((key) => {
        if (this.store.isOurs(key)) {
          this.kept = undefined;
        }
      }),
    );
  }

  /** The same fetch, with the account's token on what goes to the server, renewed once where the server refuses it. */
  wrap(next: FetchLike): FetchLike {
    return async (input, init = {}) => {
      if (new URL(input).origin !== this.serverUrl.origin) {
        return next(input, init);
      }
      if (this.hasOwnHeader) {
        return this.withOwnHeader(await next(input, init));
      }
      let token = await this.token();
      for (let renewed = false; ; renewed = true) {
        const reply = await next(input, { ...init, headers: withToken(init.headers, token) });
        if (!isChallenge(reply)) {
          this.isUnproven = false;
          return reply;
        }
        await drain(reply);
        this.challenge = readChallenge(reply, this.serverUrl);
        if (renewed) {
          throw this.required(this.challenge);
        }
        token = await this.renew(this.challenge, token);
      }
    };
  }

  private async withOwnHeader(reply: Reply): Promise<Reply> {
    if (reply.status !== 401) {
      return reply;
    }
    await drain(reply);
    const { key } = this.definition;
    throw new PorticoError(
      'ACCESS_DENIED',
      `Server "${key}" refuses the "Authorization" header of its entry (HTTP 401). Correct it, or take it out to sign in.`,
      { server: key },
    );
  }

  /** Whether it is about this entry, as it is now. */
  isFor(definition: ServerDefinition, launch: ResolvedRemote): boolean {
    return (
      definition.launchDigest === this.definition.launchDigest && JSON.stringify(launch) === JSON.stringify(this.launch)
    );
  }

  get settings(): AuthSettings {
    return this.launch.auth ?? {};
  }

  /** An entry with a token of its own is not signed in. */
  get hasOwnHeader(): boolean {
    return Object.keys(this.launch.headers).some((name) => name.toLowerCase() === 'authorization');
  }

  /** Takes the person through a sign-in; those who want one meanwhile get this one. */
  signIn(signal: AbortSignal, newAccount = false): Promise<void> {
    this.signing ??= this.travel(signal, newAccount).finally(() => {
      this.signing = undefined;
    });
    return this.signing;
  }

  /** The same for somebody who waits for the server, which has refused: only where that promises to help. */
  async signInToUse(signal: AbortSignal): Promise<void> {
    const { key } = this.definition;
    if (!this.challenge) {
      throw new PorticoError(
        'UNAUTHORIZED',
        `Server "${key}" refuses what is sent as its entry says. Correct the entry.`,
        {
          server: key,
        },
      );
    }
    const kept = await (this.kept = this.read());
    const { status } = this.challenge;
    if (this.isUnproven && status === 401) {
      throw new PorticoError(
        'UNAUTHORIZED',
        `Server "${key}" refuses the sign-in that it has just got. Diagnose Sign-In shows the steps; another account may do.`,
        { server: key },
      );
    }
    if (status === 403 && kept && !this.wantsMore(this.challenge, kept.record)) {
      throw this.required(this.challenge);
    }
    await this.signIn(signal);
  }

  discover(challenge: Challenge | undefined, preferred?: string): Promise<Discovered> {
    return discover({
      server: this.definition.key,
      serverUrl: this.serverUrl,
      challenge,
      preferred: this.settings.issuer ?? preferred,
      fetch: this.http.fetch,
    });
  }

  get fetch(): FetchLike {
    return this.http.fetch;
  }

  /** What the server answers without a token: the challenge, or nothing where it wants none. */
  async ask(): Promise<Challenge | undefined> {
    const reply = await probe(this.http.fetch, this.serverUrl, this.launch.headers);
    return isChallenge(reply) ? readChallenge(reply, this.serverUrl) : undefined;
  }

  /** As it is kept, read anew. */
  keptAccount(): Promise<Kept | undefined> {
    return this.read();
  }

  /** Forgets the account here, whether or not its server can be told. */
  async signOut(entry: AccountEntry): Promise<void> {
    const record = await this.store.read(entry);
    await this.store.remove(entry);
    this.kept = undefined;
    this.challenge = undefined;
    try {
      if (record) {
        await revoke(record, await this.discover(undefined, record.issuer), this.http.fetch);
      }
    } catch (error) {
      this.dependencies.log.debug(`The tokens were not revoked: ${String(error)}`);
    }
  }

  /** Reads anew which account is used, as another one was chosen or it is gone. */
  forget(): void {
    this.kept = undefined;
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private async token(): Promise<string | undefined> {
    if (isMachine(this.settings)) {
      return this.machine?.tokens.access_token;
    }
    const kept = await (this.kept ??= this.read());
    if (!kept) {
      return undefined;
    }
    const { tokens, expiresAt } = kept.record;
    const ends = expiresAt !== undefined && expiresAt - this.dependencies.clock.now() < EARLY_MS;
    if (!ends || tokens.refresh_token === undefined) {
      return tokens.access_token;
    }
    try {
      return await this.refresh(kept, tokens.access_token);
    } catch (error) {
      // It may do for this request; the server says.
      this.dependencies.log.debug(`The token was not renewed before its end: ${String(error)}`);
      return tokens.access_token;
    }
  }

  /** A token that may do after this one was refused. */
  private async renew(challenge: Challenge, used: string | undefined): Promise<string> {
    if (isMachine(this.settings)) {
      return this.renewAsMachine(challenge, used);
    }
    const kept = await (this.kept = this.read());
    if (!kept) {
      throw this.required(challenge);
    }
    const { access_token: current } = kept.record.tokens;
    if (current !== used) {
      return current;
    }
    if (challenge.status === 403) {
      throw this.moreScope(challenge, kept.record);
    }
    return this.refresh(kept, used);
  }

  private renewAsMachine(challenge: Challenge, used: string | undefined): Promise<string> {
    return this.dependencies.lock.run(this.store.machineName, async () => {
      if (this.machine && this.machine.tokens.access_token !== used) {
        return this.machine.tokens.access_token;
      }
      const found = await this.discover(challenge);
      const before = challenge.status === 403 ? this.machine?.scope : undefined;
      const wanted = before ?? challenge.scope ?? unite(found.resource?.scopes_supported);
      const scope = unite(wanted, challenge.scope, this.settings.scopes);
      const { clientId = '', issuer } = this.settings;
      const tokens = await signInAsMachine({
        server: this.definition.key,
        found,
        settings: this.settings,
        bound: issuer ?? (await this.store.boundIssuer(clientId)),
        scope,
        fetch: this.http.fetch,
      });
      await this.store.bind(clientId, found.metadata?.issuer ?? found.authorizationServer);
      this.machine = { tokens, scope };
      return tokens.access_token;
    });
  }

  /** One at a time, here and in all windows: a refresh token that is used twice ends the whole sign-in. */
  private refresh({ entry }: Kept, used: string): Promise<string> {
    const { lock, clock } = this.dependencies;
    return lock.run(this.store.nameOf(entry), async () => {
      const record = await this.store.read(entry);
      if (record && record.tokens.access_token !== used) {
        this.kept = Promise.resolve({ entry, record });
        return record.tokens.access_token;
      }
      if (record?.tokens.refresh_token !== undefined) {
        const found = await this.discover(this.challenge, record.issuer);
        const { key } = this.definition;
        const tokens = await refreshTokens(record, found, key, this.http.fetch);
        if (tokens !== 'ended') {
          const { expiresAt: _, ...rest } = record;
          const renewed = { ...rest, tokens, ...expiryOf(tokens, clock.now()) };
          await this.store.update(entry, renewed);
          this.kept = Promise.resolve({ entry, record: renewed });
          return tokens.access_token;
        }
        await this.end({ entry, record });
      }
      throw this.required(this.challenge);
    });
  }

  /** The tokens are of no use any more; who it was and what it was allowed stays, for the next sign-in. */
  private async end({ entry, record }: Kept): Promise<void> {
    const { refresh_token: _, ...tokens } = record.tokens;
    await this.store.update(entry, { ...record, tokens });
    this.kept = undefined;
  }

  private async read(): Promise<Kept | undefined> {
    const entry = await this.store.inUse(this.definition.id);
    const record = entry && (await this.store.read(entry));
    return entry && record && { entry, record };
  }

  private async travel(signal: AbortSignal, newAccount: boolean): Promise<void> {
    const { ports, clock } = this.dependencies;
    const { key, id } = this.definition;
    this.checkPossible();
    const kept = newAccount ? undefined : await this.read();
    const challenge = this.challenge ?? (await this.ask());
    const found = await this.discover(challenge, kept?.record.issuer);
    const issuer = found.metadata?.issuer ?? found.authorizationServer;
    const { clientId } = this.settings;
    const bound = this.settings.issuer ?? (clientId === undefined ? undefined : await this.store.boundIssuer(clientId));
    const signedIn = await signIn({
      definition: this.definition,
      found,
      settings: { ...this.settings, ...(bound === undefined ? {} : { issuer: bound }) },
      clientMetadataUrl: ports.clientMetadataUrl.peek(),
      scope: this.scopeFor(challenge, found, kept?.record),
      ui: ports.ui,
      fetch: this.http.fetch,
      signal,
      registration: {
        get: () => this.store.client(issuer),
        set: (client) => this.store.saveClient(issuer, client),
      },
    });
    const record = { ...signedIn, ...expiryOf(signedIn.tokens, clock.now()) };
    if (clientId !== undefined) {
      await this.store.bind(clientId, signedIn.issuer);
    }
    const entry = await this.store.add(id, record, accountName(signedIn.tokens), kept?.entry);
    this.kept = Promise.resolve({ entry, record });
    this.challenge = undefined;
    this.isUnproven = true;
    this.dependencies.log.info(`Signed in to "${key}" as ${entry.label} at ${entry.issuer}.`);
  }

  /** The challenge's scopes, else those that the resource names, else none; beside what was had when more is wanted. */
  private scopeFor(
    challenge: Challenge | undefined,
    { resource }: Discovered,
    record: AccountRecord | undefined,
  ): string | undefined {
    const before = challenge?.status === 403 && record ? unite(scopesOf(record), record.requested) : undefined;
    const wanted = before ?? challenge?.scope ?? unite(resource?.scopes_supported);
    return unite(wanted, challenge?.scope, this.settings.scopes);
  }

  private checkPossible(): void {
    const { key } = this.definition;
    const refused = whyRefused(this.serverUrl.href, this.serverUrl);
    if (refused !== undefined) {
      throw new PorticoError(
        'AUTH_FAILED',
        `Server "${key}" is not signed in to, because ${refused}. Write an https address into its "url".`,
        { server: key },
      );
    }
    if (isMachine(this.settings)) {
      throw new PorticoError(
        'AUTH_FAILED',
        `Server "${key}" is signed in to by the credentials of its entry, and by nobody in person. ${CHECK_ENTRY}`,
        { server: key },
      );
    }
    if (this.hasOwnHeader) {
      throw new PorticoError(
        'AUTH_FAILED',
        `Server "${key}" has an "Authorization" header in its entry, which goes before a sign-in. Take it out to sign in.`,
        { server: key },
      );
    }
  }

  private required(challenge: Challenge | undefined): PorticoError {
    const { key } = this.definition;
    if (isMachine(this.settings)) {
      return new PorticoError(
        'AUTH_FAILED',
        `Server "${key}" refuses what the credentials of its entry brought (HTTP ${challenge?.status ?? 401}). ${CHECK_ENTRY}`,
        {
          server: key,
        },
      );
    }
    if (challenge?.status === 403) {
      return new PorticoError(
        'ACCESS_DENIED',
        `Server "${key}" still wants more permission (${challenge.scope ?? 'it does not say which'}) after it was given. Tell those who run it.`,
        { server: key },
      );
    }
    return new SignInRequired(`Server "${key}" wants you to sign in. Choose Sign In… on its row.`, key, false);
  }

  private moreScope(challenge: Challenge, record: AccountRecord): PorticoError {
    const missing = this.wantsMore(challenge, record);
    const { key } = this.definition;
    return missing === undefined
      ? this.required(challenge)
      : new SignInRequired(
          `Server "${key}" wants more permission for this: ${missing.slice(0, 200)}. Choose Sign In… on its row to give it.`,
          key,
          true,
        );
  }

  /** The scopes that were not asked for yet; nothing where all were, so that to ask again is of no use. */
  private wantsMore({ scope }: Challenge, record: AccountRecord): string | undefined {
    const had = new Set([...scopesOf(record), ...record.requested]);
    return unite(scope?.split(/\s+/).filter((one) => !had.has(one)));
  }
}

function withToken(headers: RequestInit['headers'], token: string | undefined): Headers {
  const all = new Headers(headers);
  if (token !== undefined) {
    all.set('authorization', `Bearer ${token}`);
  }
  return all;
}

/** Lets the connection go back to those that are kept. */
async function drain(reply: Reply): Promise<void> {
  if (reply.body) {
    await reply.body.cancel();
  } else {
    await reply.text();
  }
}
