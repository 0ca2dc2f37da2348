import { type QuickPickItem, window } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import type { ApprovalRequest } from '../../core/policy/policyTypes';
import { commands } from '../../ids';
import { approvalQuestion, readAnswer } from '../interop/approvalChoices';
import { registerCommand } from '../interop/commands';
import type { Contribution, Services } from '../interop/contribution';
import { inertLine } from '../interop/text';
import { visibleJson } from '../interop/visibleJson';
import { ApprovalDialog } from './approvalDialog';

/** The commands by which a person answers calls that wait, and takes answers back. */
export const approvalsContribution: Contribution = { name: 'approvals', register: registerApprovals };

function registerApprovals({ hub, logs, documents }: Services): Disposable {
  const store = new DisposableStore();
  const dialog = new ApprovalDialog(documents);
  store.add(
    registerCommand(commands.approveWaitingCall, logs, async (row) => {
      const request = await pickWaiting(hub.approvals.waiting.peek(), row?.call);
      if (!request) {
        return;
      }
      const answer = await dialog.put(request, new AbortController().signal);
      if (answer && hub.approvals.waiting.peek().some(({ id }) => id === request.id)) {
        hub.approvals.answer(request.id, answer);
      }
    }),
  );
  store.add(
    registerCommand(commands.answerApproval, logs, (id, value) => {
      const answer = readAnswer(value);
      const waits = hub.approvals.waiting.peek().some((request) => request.id === id);
      if (answer && waits) {
        hub.approvals.answer(id, answer);
      } else {
        void window.showInformationMessage('This call does not wait any more: it was answered or withdrawn.');
      }
    }),
  );
  store.add(
    registerCommand(commands.forgetApprovals, logs, async () => {
      const all = 'Of All Servers';
      const items: (QuickPickItem & { readonly server?: string })[] = [
        { label: all },
        ...hub.servers.peek().map(({ id, definition }) => ({ label: inertLine(definition.key, 80), server: id })),
      ];
      const picked = await window.showQuickPick(items, {
        title: 'Forget Approvals',
        placeHolder: 'Every call will be asked about again, whatever was allowed for this session or for good.',
      });
      if (picked) {
        await hub.approvals.forget(picked.server);
        void window.showInformationMessage(
          picked.server === undefined
            ? 'All approvals are forgotten.'
            : `The approvals of ${picked.label} are forgotten.`,
        );
      }
    }),
  );
  return store;
}

async function pickWaiting(
  waiting: readonly ApprovalRequest[],
  id: string | undefined,
): Promise<ApprovalRequest | undefined> {
  if (id !== undefined || waiting.length === 1) {
    return id === undefined ? waiting[0] : waiting.find((request) => request.id === id);
  }
  if (waiting.length === 0) {
    void window.showInformationMessage('No call waits for you.');
    return undefined;
  }
  const items = waiting.map((request) => ({
    label: approvalQuestion(request),
    detail: inertLine(visibleJson(request.args), 160),
    request,
  }));
  const picked = await window.showQuickPick(items, { title: 'Approve Waiting Call', matchOnDetail: true });
  return picked?.request;
}
