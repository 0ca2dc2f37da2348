import type { FetchLike } from '@modelcontextprotocol/client';
import { type Disposable, DisposableStore } from '../../../base/disposable';
import { Emitter } from '../../../base/emitter';
import { PorticoError } from '../../../base/errors';
import type { AuthSettings, ServerDefinition } from '../../config/configTypes';
import { checkHeaders } from '../remote/remoteHeaders';
import type { ResolvedRemote } from '../remote/remoteTypes';
import { type AccountEntry, AccountStore } from './accountStore';
import { AccountTokens, type Kept } from './accountTokens';
import type { AuthEntry, ServerAuthDependencies, TokenSource } from './authEntry';
import { AuthFetch } from './authFetch';
import { type Challenge, isChallenge, readChallenge } from './challenge';
import { type Discovered, discover } from './discovery';
import { isMachine } from './machineSignIn';
import { MachineTokens } from './machineTokens';
import { signInPerson } from './personSignIn';
import { probe } from './probe';
import { headerRefused, missingScopes, needPerson, signInWanted } from './refusals';
import { revoke } from './revoke';

type Reply = Awaited<ReturnType<FetchLike>>;

/** The sign-in of one entry to its server: adds the token to what is sent there, renews it, and says when a person must act. */
export class ServerAuth implements AuthEntry, Disposable {
  readonly store: AccountStore;
  readonly serverUrl: URL;
  private readonly disposables = new DisposableStore();
  private readonly http: AuthFetch;
  private readonly accounts = new AccountTokens(this);
  private readonly source: TokenSource;
  private readonly signedIn = this.disposables.add(new Emitter<void>());
  /** Another window has signed in: there is a token that the server has not refused yet. */
  readonly onDidSignInElsewhere = this.signedIn.event;
  private challenge: Challenge | undefined;
  /** What the server refused last. */
  private refused: string | undefined;
  private signing: Promise<void> | undefined;
  /** No request has passed yet with what the last sign-in brought. */
  private isUnproven = false;

  constructor(
    readonly definition: ServerDefinition,
    private readonly launch: ResolvedRemote,
    readonly dependencies: ServerAuthDependencies,
  ) {
    this.serverUrl = new URL(launch.url);
    this.serverUrl.hash = '';
    const { ports, clock, log, lock, network } = dependencies;
    this.store = new AccountStore(ports.secrets, this.serverUrl.href, lock, log);
    this.http = this.disposables.add(new AuthFetch(definition.key, this.serverUrl, clock, network));
    this.source = isMachine(this.settings) ? new MachineTokens(this) : this.accounts;
    this.disposables.add(
      ports.secrets.onDidChange((key) => {
        if (this.store.isOurs(key)) {
          this.accountsChanged().catch((error: unknown) => log.error('The accounts could not be read.', error));
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
      let token = await this.source.current(this.challenge);
      for (let renewed = false; ; renewed = true) {
        const reply = await next(input, { ...init, headers: withToken(init.headers, token) });
        if (!isChallenge(reply)) {
          this.isUnproven = false;
          return reply;
        }
        await drain(reply);
        this.challenge = readChallenge(reply, this.serverUrl);
        this.refused = token;
        if (renewed) {
          throw signInWanted(this, this.challenge);
        }
        token = await this.source.renew(this.challenge, token, init.signal ?? undefined);
      }
    };
  }

  private async withOwnHeader(reply: Reply): Promise<Reply> {
    if (reply.status !== 401) {
      return reply;
    }
    await drain(reply);
    throw headerRefused(this);
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
        { server: key },
      );
    }
    const kept = await this.accounts.readAnew();
    const { status } = this.challenge;
    if (this.isUnproven && status === 401) {
      throw new PorticoError(
        'UNAUTHORIZED',
        `Server "${key}" refuses the sign-in that it has just got. Diagnose Sign-In shows the steps; another account may do.`,
        { server: key },
      );
    }
    if (status === 403 && kept && missingScopes(this.challenge, kept.record) === undefined) {
      throw signInWanted(this, this.challenge);
    }
    await this.signIn(signal);
  }

  discover(challenge: Challenge | undefined, preferred?: string, signal?: AbortSignal): Promise<Discovered> {
    return discover({
      server: this.definition.key,
      serverUrl: this.serverUrl,
      challenge,
      preferred: this.settings.issuer ?? preferred,
      fetch: this.http.fetch,
      signal,
    });
  }

  get fetch(): FetchLike {
    return this.http.fetch;
  }

  /** What the server answers without a token: the challenge, or nothing where it wants none. */
  async ask(): Promise<Challenge | undefined> {
    checkHeaders(this.launch.headers, this.definition.key);
    const reply = await probe(this.http.fetch, this.serverUrl, this.launch.headers);
    return isChallenge(reply) ? readChallenge(reply, this.serverUrl) : undefined;
  }

  /** As it is kept, read anew. */
  keptAccount(): Promise<Kept | undefined> {
    return this.accounts.readAnew();
  }

  /** Forgets the account here, whether or not its server can be told. */
  async signOut(entry: AccountEntry): Promise<void> {
    const record = await this.store.read(entry);
    await this.store.remove(entry);
    this.forget();
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
    this.accounts.forget();
  }

  dispose(): void {
    this.disposables.dispose();
  }

  /** In this window or another. What this one does itself, it goes on with by itself. */
  private async accountsChanged(): Promise<void> {
    this.forget();
    if (this.signing || !this.challenge || this.source !== this.accounts) {
      return;
    }
    const kept = await this.accounts.readAnew();
    const isNew = kept !== undefined && kept.record.tokens.access_token !== this.refused;
    if (isNew && !this.disposables.isDisposed) {
      this.signedIn.fire();
    }
  }

  private async travel(signal: AbortSignal, newAccount: boolean): Promise<void> {
    const ui = needPerson(this);
    const kept = newAccount ? undefined : await this.accounts.readAnew();
    const challenge = this.challenge ?? (await this.ask());
    await signInPerson(this, ui, challenge, kept, signal);
    this.forget();
    this.challenge = undefined;
    this.isUnproven = true;
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
