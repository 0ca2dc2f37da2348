import { type Disposable, DisposableStore } from '../../base/disposable';
import { commands } from '../../ids';
import { registerCommand } from '../interop/commands';
import type { Contribution, Services } from '../interop/contribution';

/** The commands by which a person answers calls that wait, and takes answers back. */
export const approvalsContribution: Contribution = { name: 'approvals', register: registerApprovals };

function registerApprovals({ hub, logs, documents }: Services): Disposable {
  const store = new DisposableStore();
  const load = () => import('./answerCalls');
  store.add(
    registerCommand(commands.approveWaitingCall, logs, async (row) =>
      (await load()).approveWaitingCall(hub, documents, row?.call),
    ),
  );
  store.add(
    registerCommand(commands.answerApproval, logs, async (id, value) => (await load()).answerApproval(hub, id, value)),
  );
  store.add(registerCommand(commands.forgetApprovals, logs, async () => (await load()).forgetApprovals(hub)));
  return store;
}
