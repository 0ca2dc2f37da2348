import type { FetchLike } from '@modelcontextprotocol/client';
import type { ReadonlySignal } from '@preact/signals-core';
import type { Disposable } from '../../../base/disposable';
import type { Event } from '../../../base/emitter';
import type { SecretStore } from '../../../base/storage';
import type { ServerDefinition } from '../../config/configTypes';
import type { ResolvedRemote } from '../remote/remoteTypes';

/** Secrets that all windows share. What another window writes is seen by reading again. */
export interface SharedSecrets extends SecretStore {
  /** Fires with the key that was changed, in this window or another. */
  readonly onDidChange: Event<string>;
}

/**
 * How the browser comes back: to an address of the editor's own, or to a listener on loopback (RFC 8252 section 7.3) whose
 * port is another one each time.
 */
export type ReturnWay = 'editor' | 'loopback';

/** One trip of the person to the authorization server and back. */
export interface AuthorizationTrip extends Disposable {
  readonly way: ReturnWay;
  /** Where the browser returns to, without `state`; part of what is registered (RFC 8252 section 7). */
  readonly redirectUrl: string;
  /**
   * Shows the address, opens the browser after the person's click and settles with the parameters of the return
   * (RFC 6749 section 4.1.2, RFC 9207): those of an error, too. Rejects with CANCELLED when the person gives up, and with
   * AUTH_FAILED for an address that must not be opened.
   */
  go(url: URL, signal: AbortSignal): Promise<URLSearchParams>;
}

/** The port to the person's browser. A return reaches the trip whose `state` it carries, once. */
export interface AuthorizationUi {
  /**
   * Without `way` the best one here: the editor's address where it is one that the spec allows (https or loopback), else
   * loopback. An authorization server that refuses the address is tried once more with the other way.
   */
  begin(server: ServerDefinition, state: string, way?: ReturnWay): Promise<AuthorizationTrip>;
}

/** What the host is given to sign in with. */
export interface AuthPorts {
  readonly secrets: SharedSecrets;
  /** Nobody signs in in person where there is none; entries with credentials of their own work all the same. */
  readonly ui?: AuthorizationUi;
  /** Where the Client ID Metadata Document is published, if anywhere: the setting `portico.auth.clientMetadataUrl`. */
  readonly clientMetadataUrl: ReadonlySignal<string | undefined>;
  /**
   * A folder that all windows share, where they take turns to renew tokens and to note accounts; only this process is
   * kept in turn without.
   */
  readonly lockFolder?: string;
}

/** What connections need of it. */
export interface ConnectionAuth {
  /** A fetch that puts the account's token on what goes to the server. Rejects with UNAUTHORIZED where a person must act. */
  wrap(definition: ServerDefinition, launch: ResolvedRemote, next: FetchLike): FetchLike;
  /** A person is there and waits for the server. Rejects with CANCELLED or AUTH_FAILED. */
  signInToUse(definition: ServerDefinition, signal: AbortSignal): Promise<void>;
}

/** One signed-in account of a server, without its secrets. */
export interface AuthAccount {
  readonly id: string;
  /** As people read it: the account's name where the server says one, else "Account 2". */
  readonly label: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** Milliseconds since the epoch. */
  readonly expiresAt?: number;
  readonly inUse: boolean;
}

/** One step of the auth doctor; `addresses` are those tried, in order. Nothing in it is secret. */
export interface DiagnosisStep {
  readonly title: string;
  readonly outcome: 'ok' | 'warning' | 'failed' | 'skipped';
  readonly detail: string;
  readonly addresses: readonly { readonly url: string; readonly answer: string }[];
  /** What to do next; where the outcome is not ok. */
  readonly advice?: string;
}

/** Authorization of servers over HTTP (spec: basic/authorization), by the id of the server. */
export interface Auth {
  /** Signs in anew, or with one more account, and restarts what needs it. Rejects with CANCELLED or AUTH_FAILED. */
  signIn(server: string, options: { readonly signal: AbortSignal; readonly newAccount?: boolean }): Promise<void>;
  /** Forgets the tokens here, and revokes them where the server can. Without an account: all of the server. */
  signOut(server: string, account?: string): Promise<void>;
  useAccount(server: string, account: string): Promise<void>;
  accounts(server: string): Promise<readonly AuthAccount[]>;
  /** Walks the steps of a sign-in up to the browser, telling each; changes nothing. */
  diagnose(server: string, onStep: (step: DiagnosisStep) => void, signal: AbortSignal): Promise<void>;
}
