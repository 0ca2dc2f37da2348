import { ConfigurationTarget, window, workspace } from 'vscode';
import { type ServerArgument, settings as settingIds } from '../../ids';
import type { Services } from '../interop/contribution';
import { pickServer } from '../interop/pickServer';
import { plainLine } from '../interop/text';
import { trustName } from '../interop/trustName';

/** *Trust Annotations of Server…*: turns the trust on, with its consequence in sight, or off again. */
export async function trustServer({ hub, settings }: Services, argument: ServerArgument): Promise<void> {
  const view = await pickServer(hub, argument, 'Trust Annotations of Server', () => true);
  if (!view) {
    return;
  }
  const trusted = settings.trustedServers.peek();
  const name = plainLine(view.definition.key, 80);
  const mark = trustName(view.definition);
  const already = trusted.includes(mark);
  const choice = await window.showWarningMessage(
    already ? `Stop believing what "${name}" says of its tools?` : `Believe what "${name}" says of its tools?`,
    {
      modal: true,
      detail: already
        ? 'Every tool of it is asked about again.'
        : 'Tools that it marks as read-only are then not asked about by VS Code’s chat. A server can mark any tool so.',
    },
    already ? 'Stop Trusting' : 'Trust',
  );
  if (choice) {
    const next = already ? trusted.filter((other) => other !== mark) : [...trusted, mark];
    await workspace.getConfiguration().update(settingIds.trustedServers, next, ConfigurationTarget.Global);
  }
}
