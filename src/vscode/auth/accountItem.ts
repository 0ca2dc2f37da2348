import type { QuickPickItem } from 'vscode';
import type { AuthAccount } from '../../core/connections/auth/authTypes';
import { inertLine } from '../interop/text';

/** An account in a pick: its name, whether it is the one in use, where it is from and what it may do. */
export function accountItem({ label, issuer, scopes, inUse }: AuthAccount): QuickPickItem {
  return {
    label: `$(${inUse ? 'check' : 'account'}) ${inertLine(label, 80)}`,
    description: [inUse ? 'in use' : '', inertLine(issuer, 100)].filter(Boolean).join(' · '),
    ...(scopes.length > 0 ? { detail: `May: ${inertLine(scopes.join(' '), 200)}` } : {}),
  };
}
