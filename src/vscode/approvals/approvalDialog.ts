import { window } from 'vscode';
import { visibleJson } from '../../base/visibleJson';
import type { ApprovalAnswer, ApprovalRequest, ApprovalUi } from '../../core/policy/policyTypes';
import { type ApprovalChoice, approvalChoices, approvalQuestion } from '../interop/approvalChoices';
import { choose } from '../interop/choose';
import { grouped, inertLine, plainLine } from '../interop/text';
import type { VirtualDocuments } from '../interop/virtualDocuments';

/** What a modal dialog shows without a scroll bar. */
const inSight = { characters: 900, lines: 18 };

const once = { title: 'Allow Once' };
const session = { title: 'Allow in This Session…' };
const show = { title: 'Show Arguments' };
const deny = { title: 'Deny' };
const later = { title: 'Decide Later', isCloseAffordance: true };

/** Puts one waiting call before the person: server, tool, who asks, the whole arguments. Closing it leaves the call waiting. */
export class ApprovalDialog implements ApprovalUi {
  constructor(private readonly documents: VirtualDocuments) {}

  async ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer | undefined> {
    // `@portico` asks by buttons in its answer.
    return request.caller.kind === 'participant' ? undefined : this.put(request, signal);
  }

  /** Asks whoever the caller is: the person came to the call themselves. */
  async put(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer | undefined> {
    const args = visibleJson(request.args);
    const whole = args.length <= inSight.characters && args.split('\n').length <= inSight.lines;
    // Enter, pressed while something else was typed, shows the arguments and grants nothing. Nobody decides on arguments that
    // they have not been shown to the end.
    const choice = await window.showWarningMessage(
      approvalQuestion(request),
      {
        modal: true,
        detail: whole
          ? `Arguments:\n${args}`
          : `The arguments are too long for this dialog (${grouped(args.length)} characters).`,
      },
      ...(whole ? [show, once, session, deny, later] : [show, deny, later]),
    );
    if (signal.aborted) {
      return undefined;
    }
    switch (choice) {
      case once:
        return approvalChoices(request)[0].answer;
      case session:
        return this.pick(request, 'Allow What?', approvalChoices(request).slice(1, -1), signal);
      case deny:
        return { kind: 'deny' };
      case show:
        return this.askBesideArguments(request, args, signal);
      default:
        return undefined;
    }
  }

  private async askBesideArguments(
    request: ApprovalRequest,
    args: string,
    signal: AbortSignal,
  ): Promise<ApprovalAnswer | undefined> {
    const { tool, id } = request;
    await this.documents.show(this.documents.put(`/calls/${id}/${plainName(tool.tool.name)} · arguments.json`, args));
    return this.pick(request, approvalQuestion(request), approvalChoices(request), signal);
  }

  private pick(
    { tool }: ApprovalRequest,
    title: string,
    choices: readonly ApprovalChoice[],
    signal: AbortSignal,
  ): Promise<ApprovalAnswer | undefined> {
    const hint = `${inertLine(tool.key, 60)}: ${inertLine(tool.tool.name, 60)}. Escape leaves the call waiting.`;
    const items = choices.map(({ title: label, answer }) => ({ label, value: answer }));
    return choose(title, hint, items, signal);
  }
}

function plainName(name: string): string {
  return plainLine(name, 60).replace(/[/\\]/g, '-');
}
