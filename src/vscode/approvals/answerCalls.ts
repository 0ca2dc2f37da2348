import { type QuickPickItem, window } from 'vscode';
import { visibleJson } from '../../base/visibleJson';
import type { Hub } from '../../core/hubTypes';
import type { ApprovalRequest } from '../../core/policy/policyTypes';
import { answerText, approvalQuestion, readAnswer } from '../interop/approvalChoices';
import { inertLine } from '../interop/text';
import type { VirtualDocuments } from '../interop/virtualDocuments';
import { ApprovalDialog } from './approvalDialog';

/** Asks about a waiting call: the one named, the only one, or the person's pick. */
export async function approveWaitingCall({ approvals }: Hub, documents: VirtualDocuments, id?: string): Promise<void> {
  const request = await pickWaiting(approvals.waiting.peek(), id);
  if (!request) {
    return;
  }
  const answer = await new ApprovalDialog(documents).put(request, new AbortController().signal);
  if (answer && approvals.waiting.peek().some((one) => one.id === request.id)) {
    approvals.answer(request.id, answer);
  }
}

/** Gives an answer that came through a command to a call that may not wait any more. */
export function answerApproval({ approvals, callLog }: Hub, id: string, value: unknown): void {
  const answer = readAnswer(value);
  const waits = approvals.waiting.peek().some((request) => request.id === id);
  if (answer && waits) {
    approvals.answer(id, answer);
    return;
  }
  const given = approvals.answerOf(id);
  const server = callLog.records.peek().find((record) => record.id === id)?.key ?? 'its server';
  void window.showInformationMessage(
    given
      ? `This question was already answered: ${answerText(given, server)}. Forget Approvals takes back what was allowed for longer.`
      : 'This call does not wait any more: it was answered before the window was loaded, or withdrawn.',
  );
}

/** Takes back what was allowed, calls and the use of models, of one server or of all. */
export async function forgetApprovals({ approvals, sampling, servers }: Hub): Promise<void> {
  const items: (QuickPickItem & { readonly server?: string })[] = [
    { label: 'Of All Servers' },
    ...servers.peek().map(({ id, definition }) => ({ label: inertLine(definition.key, 80), server: id })),
  ];
  const picked = await window.showQuickPick(items, {
    title: 'Forget Approvals',
    placeHolder:
      'Calls and requests for models will be asked about again, whatever was answered for this session or for good.',
  });
  if (picked) {
    await Promise.all([approvals.forget(picked.server), sampling.forget(picked.server)]);
    void window.showInformationMessage(
      picked.server === undefined ? 'All approvals are forgotten.' : `The approvals of ${picked.label} are forgotten.`,
    );
  }
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
