import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Disposable } from '../base/disposable';
import { Emitter } from '../base/emitter';
import type { AgentClient, ClientRegistry } from './serverTypes';

/** Who has the listener's own token. */
export const editorChat: AgentClient = { id: 'editor', label: "the editor's chat" };

/** 256 random bits as they go into a header or a config file. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** The clients of a window that are let in, each by a token of its own. Tokens are kept as digests alone. */
export class ClientTokens implements ClientRegistry, Disposable {
  private readonly grants = new Map<string, { readonly client: AgentClient; readonly digest: Buffer }>();
  private readonly revoked = new Emitter<string>();
  readonly onDidRevoke = this.revoked.event;

  /** Lets a client in. What was granted under this name before by another token is revoked first. */
  add(client: AgentClient, token: string, grant = client.id): void {
    const digest = digestOf(token);
    if (this.grants.get(grant)?.digest.equals(digest) !== true) {
      this.revoke(grant);
    }
    this.grants.set(grant, { client, digest });
  }

  /** Ends all that its client has open; a client with another grant may come back. */
  revoke(grant: string): void {
    const granted = this.grants.get(grant);
    if (granted !== undefined) {
      this.grants.delete(grant);
      this.revoked.fire(granted.client.id);
    }
  }

  /** Compares with every token, so that the time tells neither whose nor how much of it was right. */
  identify(given: Buffer): AgentClient | undefined {
    let found: AgentClient | undefined;
    for (const { client, digest } of this.grants.values()) {
      if (timingSafeEqual(given, digest)) {
        found = client;
      }
    }
    return found;
  }

  dispose(): void {
    this.grants.clear();
    this.revoked.dispose();
  }
}

/** By what tokens are kept and compared: digests are of one length, whatever was given. */
export function digestOf(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
