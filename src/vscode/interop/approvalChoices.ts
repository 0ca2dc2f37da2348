import { assertNever } from '../../base/errors';
import { isObject } from '../../base/jsonObject';
import type { ApprovalAnswer, ApprovalRequest } from '../../core/policy/policyTypes';
import { inertLine } from './text';

export interface ApprovalChoice {
  readonly title: string;
  readonly answer: ApprovalAnswer;
}

/** What a person can answer, from narrow to wide; the first is the default, refusing stands last. */
export function approvalChoices({ tool }: ApprovalRequest): readonly [ApprovalChoice, ...ApprovalChoice[]] {
  const server = inertLine(tool.key, 40);
  return [
    { title: 'Allow Once', answer: { kind: 'allow', duration: 'once', scope: 'tool' } },
    { title: 'Allow in This Session', answer: { kind: 'allow', duration: 'session', scope: 'tool' } },
    { title: 'Always Allow Tool', answer: { kind: 'allow', duration: 'always', scope: 'tool' } },
    {
      title: `Allow All Tools of ${server} in This Session`,
      answer: { kind: 'allow', duration: 'session', scope: 'server' },
    },
    { title: `Always Allow All Tools of ${server}`, answer: { kind: 'allow', duration: 'always', scope: 'server' } },
    { title: 'Deny', answer: { kind: 'deny' } },
  ];
}

/** What was chosen, in the words of the buttons. */
export function answerText(answer: ApprovalAnswer, server: string): string {
  if (answer.kind === 'deny') {
    return 'Denied';
  }
  const all = answer.scope === 'server' ? `All tools of ${inertLine(server, 40)} allowed` : undefined;
  switch (answer.duration) {
    case 'once':
      return 'Allowed once';
    case 'session':
      return all === undefined ? 'Allowed in this session' : `${all} in this session`;
    case 'always':
      return all === undefined ? 'Tool always allowed' : `${all} always`;
    default:
      return assertNever(answer.duration);
  }
}

/** Who wants what, as one plain sentence. */
export function approvalQuestion({ caller, tool }: ApprovalRequest): string {
  return `${inertLine(caller.label, 60)} wants to run ${inertLine(tool.tool.name, 80)} of ${inertLine(tool.key, 60)}.`;
}

/** An answer that came through a command, from whoever; nothing where it is none. */
export function readAnswer(value: unknown): ApprovalAnswer | undefined {
  if (!isObject(value)) {
    return undefined;
  }
  const { kind, duration, scope } = value;
  if (kind === 'deny') {
    return { kind };
  }
  const known =
    kind === 'allow' &&
    (duration === 'once' || duration === 'session' || duration === 'always') &&
    (scope === 'tool' || scope === 'server');
  return known ? { kind, duration, scope } : undefined;
}
