import { commands, type QuickPickOptions, window } from 'vscode';
import { PorticoError } from '../../base/errors';
import type { InputDefinition } from '../../core/config/configTypes';
import { inertLine } from '../interop/text';

/** Asks the person, or the command that the entry names, for an input; nothing when there is no answer. */
export async function askInput(definition: InputDefinition, server: string): Promise<string | undefined> {
  const { id, description, type, options = [], password = false } = definition;
  const title = `${inertLine(server, 60)} — ${inertLine(description ?? id, 300)}`;
  const where = `${inertLine(id, 60)} for ${inertLine(server, 60)}, kept in the secret store`;
  switch (type) {
    case 'pickString': {
      const pick: QuickPickOptions = { title, placeHolder: where, ignoreFocusOut: true };
      const items = options.map((value) => ({ label: inertLine(value), value }));
      return (await window.showQuickPick(items, pick))?.value;
    }
    case 'command':
      return runInputCommand(definition, server);
    case 'promptString':
      return window.showInputBox({
        title,
        prompt: `${where}. Enter starts the server.`,
        password,
        ignoreFocusOut: true,
        ...(definition.default === undefined ? {} : { value: definition.default }),
      });
  }
}

async function runInputCommand({ id, command }: InputDefinition, server: string): Promise<string | undefined> {
  if (command === undefined) {
    const message = `The input "${id}" of server "${server}" names no "command". Add one, or make it a promptString.`;
    throw new PorticoError('CONFIG_INVALID', message, { server });
  }
  const value = await commands.executeCommand<unknown>(command);
  return typeof value === 'string' ? value : undefined;
}
