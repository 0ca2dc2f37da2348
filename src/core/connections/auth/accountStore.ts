import { createHash, randomUUID } from 'node:crypto';
import type { StoredOAuthClientInformation, StoredOAuthTokens } from '@modelcontextprotocol/client';
import type { Logger } from '../../../base/log';
import type { AuthAccount, SharedSecrets } from './authTypes';
import type { FileLock } from './fileLock';
import { isToken } from './tokenFacts';

/** All that is kept of a signed-in account. */
export interface AccountRecord {
  readonly issuer: string;
  readonly client: StoredOAuthClientInformation;
  readonly tokens: StoredOAuthTokens;
  /** What was asked for; a server that grants exactly that need not repeat it (RFC 6749 section 5.1). */
  readonly requested: readonly string[];
  /** Milliseconds since the epoch, where the server says. */
  readonly expiresAt?: number;
}

interface Entry {
  readonly id: string;
  readonly label: string;
  readonly issuer: string;
  readonly clientId: string;
}

/** What is known of one server's address: no secrets but for those who look for accounts. */
interface Index {
  readonly accounts: readonly Entry[];
  /** The account that each entry of the configuration uses, by the entry's id. */
  readonly uses: Readonly<Record<string, string>>;
  /** The authorization server at which a client id of the configuration was first used. */
  readonly bound: Readonly<Record<string, string>>;
}

const EMPTY: Index = { accounts: [], uses: {}, bound: {} };
const PREFIX = 'portico.auth/';

const hash = (...parts: readonly string[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex');

/** The accounts of one server's address in the secret store. What another window writes is there at the next read. */
export class AccountStore {
  private readonly key: string;

  constructor(
    private readonly secrets: SharedSecrets,
    private readonly resource: string,
    private readonly lock: FileLock,
    private readonly log: Logger,
  ) {
    this.key = `${PREFIX}accounts/${hash(resource)}`;
  }

  /** Whether a change of this key may concern these accounts: tokens have keys of their own. */
  isOurs(key: string): boolean {
    return key === this.key || key.startsWith(`${PREFIX}account/`);
  }

  /** A name for the account that is none of its secrets, and is a file's name anywhere. */
  nameOf(entry: Entry): string {
    return hash(this.keyOf(entry)).slice(0, 32);
  }

  /** The same for the sign-in of the client itself. */
  get machineName(): string {
    return hash(this.key).slice(0, 32);
  }

  /** The same for the list of accounts; taken in the middle of the others. */
  private get indexName(): string {
    return hash(this.key, 'index').slice(0, 32);
  }

  /** The account that the entry uses: the one chosen for it, else the first. */
  async inUse(server: string): Promise<Entry | undefined> {
    const index = await this.index();
    return index.accounts.find(({ id }) => id === index.uses[server]) ?? index.accounts[0];
  }

  async accounts(server: string): Promise<readonly AuthAccount[]> {
    const index = await this.index();
    const used = index.accounts.find(({ id }) => id === index.uses[server]) ?? index.accounts[0];
    const accounts = await Promise.all(
      index.accounts.map(async (entry): Promise<AuthAccount | undefined> => {
        const record = await this.read(entry);
        return (
          record && {
            ...entry,
            scopes: scopesOf(record),
            ...(record.expiresAt === undefined ? {} : { expiresAt: record.expiresAt }),
            inUse: entry === used,
          }
        );
      }),
    );
    return accounts.filter((account) => account !== undefined);
  }

  async read(entry: Entry): Promise<AccountRecord | undefined> {
    const record = await this.readJson<AccountRecord>(this.keyOf(entry));
    if (record && !isToken(record.tokens.access_token)) {
      this.log.warn('The token that was kept of a sign-in cannot be sent; sign in again.');
      return undefined;
    }
    return record;
  }

  /** Keeps new tokens of an account that is there. */
  async update(entry: Entry, record: AccountRecord): Promise<void> {
    await this.secrets.set(this.keyOf(entry), JSON.stringify(record));
  }

  /** Keeps a fresh sign-in as the entry's account: instead of `replaced`, or as one more. */
  async add(
    server: string,
    record: AccountRecord,
    label: string | undefined,
    replaced: Entry | undefined,
  ): Promise<Entry> {
    return this.change(async (index) => {
      const others = index.accounts.filter(({ id }) => id !== replaced?.id);
      const entry: Entry = {
        id: replaced?.id ?? randomUUID(),
        label: label ?? replaced?.label ?? `Account ${index.accounts.length + 1}`,
        issuer: record.issuer,
        clientId: record.client.client_id,
      };
      await this.secrets.set(this.keyOf(entry), JSON.stringify(record));
      if (replaced && this.keyOf(replaced) !== this.keyOf(entry)) {
        await this.secrets.delete(this.keyOf(replaced));
      }
      const found = index.accounts.findIndex(({ id }) => id === replaced?.id);
      const at = found < 0 ? others.length : found;
      return {
        result: entry,
        index: {
          ...index,
          accounts: [...others.slice(0, at), entry, ...others.slice(at)],
          uses: { ...index.uses, [server]: entry.id },
        },
      };
    });
  }

  async use(server: string, account: string): Promise<boolean> {
    return this.change(async (index) =>
      index.accounts.some(({ id }) => id === account)
        ? { result: true, index: { ...index, uses: { ...index.uses, [server]: account } } }
        : { result: false, index },
    );
  }

  async entries(): Promise<readonly Entry[]> {
    return (await this.index()).accounts;
  }

  async remove(entry: Entry): Promise<void> {
    await this.change(async (index) => {
      await this.secrets.delete(this.keyOf(entry));
      return { result: undefined, index: { ...index, accounts: index.accounts.filter(({ id }) => id !== entry.id) } };
    });
  }

  /** What this host is registered as at an authorization server, for this address to come back to. */
  client(issuer: string): Promise<StoredOAuthClientInformation | undefined> {
    return this.readJson(clientKey(issuer));
  }

  async saveClient(issuer: string, client: StoredOAuthClientInformation | undefined): Promise<void> {
    await (client === undefined
      ? this.secrets.delete(clientKey(issuer))
      : this.secrets.set(clientKey(issuer), JSON.stringify(client)));
  }

  async boundIssuer(clientId: string): Promise<string | undefined> {
    const { bound } = await this.index();
    return Object.hasOwn(bound, clientId) ? bound[clientId] : undefined;
  }

  async bind(clientId: string, issuer: string): Promise<void> {
    if ((await this.boundIssuer(clientId)) !== issuer) {
      await this.change(async (index) => ({
        result: undefined,
        index: { ...index, bound: { ...index.bound, [clientId]: issuer } },
      }));
    }
  }

  private keyOf({ issuer, clientId, id }: Entry): string {
    return `${PREFIX}account/${hash(issuer, clientId, this.resource, id)}`;
  }

  private async index(): Promise<Index> {
    return { ...EMPTY, ...(await this.readJson<Index>(this.key)) };
  }

  /** One at a time, here and in all windows: what two of them note at once is all there in the end. */
  private change<T>(step: (index: Index) => Promise<{ readonly result: T; readonly index: Index }>): Promise<T> {
    return this.lock.run(this.indexName, async () => {
      const before = await this.index();
      const { result, index } = await step(before);
      if (index !== before) {
        await this.writeIndex(index);
      }
      return result;
    });
  }

  private async writeIndex(index: Index): Promise<void> {
    const isEmpty = index.accounts.length === 0 && Object.keys(index.bound).length === 0;
    await (isEmpty ? this.secrets.delete(this.key) : this.secrets.set(this.key, JSON.stringify(index)));
  }

  private async readJson<T>(key: string): Promise<T | undefined> {
    const text = await this.secrets.get(key);
    if (text === undefined) {
      return undefined;
    }
    try {
      return JSON.parse(text) as T;
    } catch {
      // The text is a secret and not repeated.
      this.log.warn('What was kept of a sign-in cannot be read; sign in again.');
      return undefined;
    }
  }
}

export type AccountEntry = Entry;

export function scopesOf({ tokens, requested }: AccountRecord): readonly string[] {
  return tokens.scope === undefined ? requested : tokens.scope.split(/\s+/).filter(Boolean);
}

function clientKey(issuer: string): string {
  return `${PREFIX}client/${hash(issuer)}`;
}
