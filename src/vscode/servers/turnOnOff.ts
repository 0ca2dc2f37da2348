import type { ServerArgument } from '../../ids';
import type { Services } from '../interop/contribution';
import { pickServer } from '../interop/pickServer';
import { EntryStore } from './entryStore';

/** *Turn On* and *Turn Off*: the entry's `disabled`, in the file where it stands. */
export async function turnServer({ hub }: Services, argument: ServerArgument, disabled: boolean): Promise<void> {
  const title = disabled ? 'Turn Off' : 'Turn On';
  const view = await pickServer(hub, argument, title, ({ definition }) => definition.disabled !== disabled);
  if (view) {
    const { source, key } = view.definition;
    await new EntryStore(() => hub.configEdits()).setDisabled(source, key, disabled);
  }
}
