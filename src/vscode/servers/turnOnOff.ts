import { type Disposable, DisposableStore } from '../../base/disposable';
import type { Hub } from '../../core/hubTypes';
import { commands, type ServerArgument } from '../../ids';
import { registerCommand } from '../interop/commands';
import type { Services } from '../interop/contribution';
import { pickServer } from '../interop/pickServer';
import { EntryStore } from './entryStore';

/** *Turn On* and *Turn Off*: the entry's `disabled`, in the file where it stands. */
export function registerTurnOnOff({ hub, logs }: Services): Disposable {
  const store = new DisposableStore();
  store.add(registerCommand(commands.turnOn, logs, (argument) => turn(hub, argument, false)));
  store.add(registerCommand(commands.turnOff, logs, (argument) => turn(hub, argument, true)));
  return store;
}

async function turn(hub: Hub, argument: ServerArgument, disabled: boolean): Promise<void> {
  const title = disabled ? 'Turn Off' : 'Turn On';
  const view = await pickServer(hub, argument, title, ({ definition }) => definition.disabled !== disabled);
  if (view) {
    const { source, key } = view.definition;
    await new EntryStore(() => hub.configEdits()).setDisabled(source, key, disabled);
  }
}
