import { workspace } from 'vscode';
import { cancelled, PorticoError } from '../../base/errors';
import type { SecretStore } from '../../base/storage';
import type { ConfigSource, InputDefinition, ServerDefinition, VariableSource } from '../../core/config/configTypes';

/** Variables from the editor's process, settings and questions. Answers are kept in the secret store, by source and id. */
export class EditorVariables implements VariableSource {
  /** Questions that are on the screen: a second start waits for the same answer. */
  private readonly asking = new Map<string, Promise<string>>();

  constructor(private readonly secrets: SecretStore) {}

  env(name: string): string | undefined {
    return process.env[name];
  }

  config(name: string): unknown {
    return workspace.getConfiguration().get<unknown>(name);
  }

  async input(
    definition: InputDefinition,
    forServer: string,
    interactive: boolean,
    source: ConfigSource,
  ): Promise<string> {
    const slot = slotOf(source, definition.id);
    const kept = await this.secrets.get(slot);
    if (kept !== undefined) {
      return kept;
    }
    if (!interactive) {
      const message = `Server "${forServer}" needs a value for the input "${definition.id}". Start it by hand once to be asked for it.`;
      throw new PorticoError('INPUT_MISSING', message, { server: forServer });
    }
    const running = this.asking.get(slot) ?? this.askAndKeep(definition, forServer, slot);
    this.asking.set(slot, running);
    try {
      return await running;
    } finally {
      this.asking.delete(slot);
    }
  }

  /** Keeps a value that a person has given already, such as a secret in a pasted command. */
  async keepSecret({ source }: ServerDefinition, input: string, value: string): Promise<void> {
    await this.secrets.set(slotOf(source, input), value);
  }

  private async askAndKeep(definition: InputDefinition, server: string, slot: string): Promise<string> {
    const { askInput } = await import('./askInput');
    const value = await askInput(definition, server);
    if (value === undefined) {
      throw cancelled(`The start of "${server}"`);
    }
    // A command may answer anew each time, so its answer is not kept.
    if (definition.type !== 'command') {
      await this.secrets.set(slot, value);
    }
    return value;
  }
}

function slotOf(source: ConfigSource, input: string): string {
  return `input:${source.kind}:${source.file ?? source.folder?.uri ?? source.id}:${input}`;
}
