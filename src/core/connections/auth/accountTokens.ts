import type { AccountEntry, AccountRecord } from './accountStore';
import type { AuthEntry, TokenSource } from './authEntry';
import type { Challenge } from './challenge';
import { moreWanted, signInWanted } from './refusals';
import { expiryOf } from './tokenFacts';
import { refreshTokens } from './tokenRefresh';

export interface Kept {
  readonly entry: AccountEntry;
  readonly record: AccountRecord;
}

/** So long before its end a token is renewed, in milliseconds. */
const EARLY_MS = 30_000;

/** The tokens of the account that a person signed in as. */
export class AccountTokens implements TokenSource {
  /** As last read; re-read whenever it matters whether another window has newer. */
  private kept: Promise<Kept | undefined> | undefined;

  constructor(private readonly auth: AuthEntry) {}

  async current(challenge: Challenge | undefined): Promise<string | undefined> {
    const kept = await (this.kept ??= this.read());
    if (!kept) {
      return undefined;
    }
    const { clock, log } = this.auth.dependencies;
    const { tokens, expiresAt } = kept.record;
    const ends = expiresAt !== undefined && expiresAt - clock.now() < EARLY_MS;
    if (!ends || tokens.refresh_token === undefined) {
      return tokens.access_token;
    }
    try {
      return await this.refresh(kept, tokens.access_token, challenge);
    } catch (error) {
      // It may do for this request; the server says.
      log.debug(`The token was not renewed before its end: ${String(error)}`);
      return tokens.access_token;
    }
  }

  async renew(challenge: Challenge, used: string | undefined, signal?: AbortSignal): Promise<string> {
    const kept = await this.readAnew();
    if (!kept) {
      throw signInWanted(this.auth, challenge);
    }
    const { access_token: current } = kept.record.tokens;
    if (current !== used) {
      return current;
    }
    if (challenge.status === 403) {
      throw moreWanted(this.auth, challenge, kept.record);
    }
    return this.refresh(kept, used, challenge, signal);
  }

  /** As it is kept now, whatever was read before. */
  readAnew(): Promise<Kept | undefined> {
    return (this.kept = this.read());
  }

  /** Another account may be used from now on, or other tokens. */
  forget(): void {
    this.kept = undefined;
  }

  /** One at a time, here and in all windows: a refresh token that is used twice ends the whole sign-in. */
  private refresh(
    { entry }: Kept,
    used: string,
    challenge: Challenge | undefined,
    signal?: AbortSignal,
  ): Promise<string> {
    const { store, definition, fetch, dependencies } = this.auth;
    const { lock, clock } = dependencies;
    return lock.run(store.nameOf(entry), async () => {
      const record = await store.read(entry);
      if (record && record.tokens.access_token !== used) {
        this.kept = Promise.resolve({ entry, record });
        return record.tokens.access_token;
      }
      if (record?.tokens.refresh_token !== undefined) {
        const found = await this.auth.discover(challenge, record.issuer, signal);
        const tokens = await refreshTokens(record, found, definition.key, fetch);
        if (tokens !== 'ended') {
          const { expiresAt: _, ...rest } = record;
          const renewed = { ...rest, tokens, ...expiryOf(tokens, clock.now()) };
          await store.update(entry, renewed);
          this.kept = Promise.resolve({ entry, record: renewed });
          return tokens.access_token;
        }
        await this.end({ entry, record });
      }
      throw signInWanted(this.auth, challenge);
    });
  }

  /** The tokens are of no use any more; who it was and what it was allowed stays, for the next sign-in. */
  private async end({ entry, record }: Kept): Promise<void> {
    const { refresh_token: _, ...tokens } = record.tokens;
    await this.auth.store.update(entry, { ...record, tokens });
    this.kept = undefined;
  }

  private async read(): Promise<Kept | undefined> {
    const { store, definition } = this.auth;
    const entry = await store.inUse(definition.id);
    const record = entry && (await store.read(entry));
    return entry && record && { entry, record };
  }
}
