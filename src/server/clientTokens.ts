import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
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
  private readonly clients = new Map<string, { readonly client: AgentClient; readonly digest: Buffer }>();
  private readonly revoked = new Emitter<string>();
  readonly onDidRevoke = this.revoked.event;

  /** Lets a client in. One that was let in by another token before is revoked first. */
  add(client: AgentClient, token: string): void {
    this.revoke(client.id);
    this.clients.set(client.id, { client, digest: digestOf(token) });
  }

  revoke(id: string): void {
    if (this.clients.delete(id)) {
      this.revoked.fire(id);
    }
  }

  /** Compares with every token, so that the time tells neither whose nor how much of it was right. */
  identify(token: string): AgentClient | undefined {
    const given = digestOf(token);
    let found: AgentClient | undefined;
    for (const { client, digest } of this.clients.values()) {
      if (timingSafeEqual(given, digest)) {
        found = client;
      }
    }
    return found;
  }

  dispose(): void {
    this.clients.clear();
    this.revoked.dispose();
  }
}

/** Digests are of one length, whatever was given. */
function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
