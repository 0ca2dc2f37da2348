import { isObject } from '../../base/jsonObject';
import type { Disposable } from '../../base/disposable';
import { newToken } from '../../server/clientTokens';
import { knownAgents, otherAgent } from '../../server/discovery/knownAgents';
import type { AgentClient } from '../../server/serverTypes';
import type { SecretStorage } from 'vscode';

const key = 'portico.agents.urls';

/** Agents that come by URL, with the tokens that their configurations hold: the same in all windows and after a restart. */
export class UrlClients {
  constructor(private readonly secrets: SecretStorage) {}

  async all(): Promise<readonly { readonly client: AgentClient; readonly token: string }[]> {
    return Object.entries(await this.read()).map(([id, token]) => ({ client: clientOf(id), token }));
  }

  /** The agent's token, a new one where it has none: what a configuration holds already stays good. */
  async tokenOf({ id }: AgentClient): Promise<string> {
    const known = await this.read();
    const token = known[id] ?? newToken();
    if (known[id] === undefined) {
      await this.secrets.store(key, JSON.stringify({ ...known, [id]: token }));
    }
    return token;
  }

  async clear(): Promise<void> {
    await this.secrets.delete(key);
  }

  /** In this window or another. */
  onDidChange(changed: () => void): Disposable {
    return this.secrets.onDidChange((event) => {
      if (event.key === key) {
        changed();
      }
    });
  }

  private async read(): Promise<Readonly<Record<string, string>>> {
    const text = await this.secrets.get(key);
    try {
      const value: unknown = JSON.parse(text ?? '{}');
      const entries = Object.entries(isObject(value) ? value : {});
      return Object.fromEntries(entries.flatMap(([id, token]) => (typeof token === 'string' ? [[id, token]] : [])));
    } catch {
      // What cannot be read lets nobody in.
      return {};
    }
  }
}

/** By URL an agent is another client than by the bridge: each has a token of its own. */
function clientOf(id: string): AgentClient {
  return [...knownAgents, otherAgent].find((agent) => agent.id === id) ?? { id, label: id };
}
