import { type QuickPickItem, window } from 'vscode';
import type { AuthAccount } from '../../core/connections/auth/authTypes';
import { type ServerArgument, views } from '../../ids';
import type { Services } from '../interop/contribution';
import { pickServer } from '../interop/pickServer';
import { inertLine } from '../interop/text';
import { accountItem } from './accountItem';
import { isRemote } from './signIn';

/** *Sign Out…*: of the account that a server has; of several, those that are chosen. */
export async function signOut({ hub }: Services, argument: ServerArgument): Promise<void> {
  const view = await pickServer(hub, argument, 'Sign Out', isRemote);
  if (!view) {
    return;
  }
  const auth = await hub.auth();
  const accounts = await auth.accounts(view.id);
  const name = inertLine(view.definition.key, 60);
  if (accounts.length === 0) {
    void window.showInformationMessage(`You are not signed in to "${name}".`);
    return;
  }
  const chosen = accounts.length === 1 ? accounts : await choose(name, accounts);
  await window.withProgress({ location: { viewId: views.servers } }, async () => {
    // All at once where all are meant, so that nothing of the server is left over.
    if (chosen.length === accounts.length) {
      await auth.signOut(view.id);
      return;
    }
    for (const { id } of chosen) {
      await auth.signOut(view.id, id);
    }
  });
}

async function choose(name: string, accounts: readonly AuthAccount[]): Promise<readonly AuthAccount[]> {
  const items = accounts.map((account): QuickPickItem & { readonly account: AuthAccount } => ({
    ...accountItem(account),
    picked: true,
    account,
  }));
  const picked = await window.showQuickPick(items, {
    title: `Sign out of "${name}"`,
    placeHolder: 'The checked accounts are forgotten here',
    canPickMany: true,
  });
  return (picked ?? []).map(({ account }) => account);
}
