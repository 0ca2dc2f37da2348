import { Emitter } from '../../../src/base/emitter';
import { MemorySecrets } from '../../../src/base/storage';
import type { SharedSecrets } from '../../../src/core/connections/auth/authTypes';

/** The secrets of one window, gone with the process. */
export class ScenarioSecrets extends MemorySecrets implements SharedSecrets {
  private readonly changes = new Emitter<string>();
  readonly onDidChange = this.changes.event;

  override async set(key: string, value: string): Promise<void> {
    await super.set(key, value);
    this.changes.fire(key);
  }

  override async delete(key: string): Promise<void> {
    await super.delete(key);
    this.changes.fire(key);
  }
}
