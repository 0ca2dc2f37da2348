import type { ChatResponseStream } from 'vscode';
import type { ApprovalAnswer, ApprovalRequest } from '../../core/policy/policyTypes';
import { commands } from '../../ids';
import { answerText, approvalChoices } from '../interop/approvalChoices';
import { codeSpan, escapeMarkdown } from '../interop/markdown';
import { argumentList } from './argumentList';

/** Asks for approval in the answer itself: the whole arguments, and a button for each answer. */
export class ApprovalButtons {
  private readonly asked = new Set<string>();

  constructor(private readonly stream: ChatResponseStream) {}

  /** Puts the question once, however often the list of waiting calls changes. */
  ask(request: ApprovalRequest): void {
    if (this.asked.has(request.id)) {
      return;
    }
    this.asked.add(request.id);
    const { tool, args, id } = request;
    const question = `**Allow ${codeSpan(tool.tool.name)} of ${codeSpan(tool.key)}?** These are the whole arguments:`;
    this.stream.markdown(`\n\n${question}\n\n${argumentList(args)}\n\n`);
    for (const { title, answer } of approvalChoices(request)) {
      if (answer.kind === 'allow' && answer.duration === 'always' && answer.scope === 'server') {
        // Too wide for a button in passing; the dialog of Approve Waiting Call… has it.
        continue;
      }
      this.stream.button({ command: commands.answerApproval, title, arguments: [id, answer] });
    }
  }

  /** Says what was chosen, here or elsewhere: the editor cannot take the buttons away. */
  answered({ tool }: ApprovalRequest, answer: ApprovalAnswer): void {
    this.stream.markdown(`\n\n_${escapeMarkdown(answerText(answer, tool.key))}._\n\n`);
  }
}
