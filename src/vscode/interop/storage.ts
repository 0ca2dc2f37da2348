import type { Memento, SecretStorage } from 'vscode';
import type { Event } from '../../base/emitter';
import type { KeyValueStore } from '../../base/storage';
import type { SharedSecrets } from '../../core/connections/auth/authTypes';

/** The editor's Memento as core's store. */
export class MementoStore implements KeyValueStore {
  constructor(private readonly memento: Memento) {}

  get<T>(key: string): T | undefined {
    return this.memento.get<T>(key);
  }

  async set(key: string, value: unknown): Promise<void> {
    await this.memento.update(key, value);
  }
}

/** The editor's SecretStorage as core's. */
export class EditorSecrets implements SharedSecrets {
  readonly onDidChange: Event<string> = (listener) => this.storage.onDidChange(({ key }) => listener(key));

  constructor(private readonly storage: SecretStorage) {}

  async get(key: string): Promise<string | undefined> {
    return this.storage.get(key);
  }

  async set(key: string, value: string): Promise<void> {
    await this.storage.store(key, value);
  }

  async delete(key: string): Promise<void> {
    await this.storage.delete(key);
  }
}
