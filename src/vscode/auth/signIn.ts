import { type QuickPickItem, QuickPickItemKind, window } from 'vscode';
import type { ServerView } from '../../core/hubTypes';
import type { Auth, AuthAccount } from '../../core/connections/auth/authTypes';
import { type ServerArgument, views } from '../../ids';
import type { Services } from '../interop/contribution';
import { pickServer } from '../interop/pickServer';
import { inertLine } from '../interop/text';
import { accountItem } from './accountItem';

/** *Sign In…*: to a server that wants it, anew, with one more account, or with another of those that are signed in. */
export async function signIn({ hub }: Services, argument: ServerArgument): Promise<void> {
  const view = await pickServer(hub, argument, 'Sign In', isRemote);
  if (view) {
    const auth = await hub.auth();
    const act = await chooseAct(view, await auth.accounts(view.id));
    if (act) {
      await window.withProgress({ location: { viewId: views.servers } }, () => act(auth));
    }
  }
}

/** Whether authorization concerns it: processes get what they need by their environment. */
export function isRemote({ definition }: ServerView): boolean {
  return definition.launch.type !== 'stdio' && !definition.disabled && !definition.self;
}

type Act = (auth: Auth) => Promise<void>;

async function chooseAct(view: ServerView, accounts: readonly AuthAccount[]): Promise<Act | undefined> {
  const { id, definition } = view;
  const anew: Act = (auth) => auth.signIn(id, { signal: new AbortController().signal });
  const wanted = view.status.peek().kind === 'signInRequired';
  if (accounts.length === 0 || (wanted && accounts.length === 1)) {
    return anew;
  }
  const more: Act = (auth) => auth.signIn(id, { signal: new AbortController().signal, newAccount: true });
  const items: readonly (QuickPickItem & { readonly act?: Act })[] = [
    ...accounts.map((account) => ({
      ...accountItem(account),
      act: account.inUse && wanted ? anew : (auth: Auth) => auth.useAccount(id, account.id),
    })),
    { label: '', kind: QuickPickItemKind.Separator },
    { label: '$(add) Sign In With Another Account…', act: more },
    { label: '$(sign-in) Sign In Anew…', act: anew },
  ];
  const picked = await window.showQuickPick(items, {
    title: `Sign in to "${inertLine(definition.key, 60)}"`,
    placeHolder: 'The account that it is used with',
    matchOnDescription: true,
  });
  return picked?.act;
}
