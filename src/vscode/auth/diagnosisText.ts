import type { DiagnosisStep } from '../../core/connections/auth/authTypes';
import { counted, writtenOut } from '../interop/text';

/** What the doctor looked at, and how far it is. */
export interface Diagnosis {
  readonly server: string;
  readonly url: string;
  readonly steps: readonly DiagnosisStep[];
  readonly state: 'running' | 'stopped' | 'done';
}

const longest = 2_000;

/** A step as it may be shown: what would not be seen, or would turn the text's direction, is written out. */
export function shownStep(step: DiagnosisStep): DiagnosisStep {
  return {
    title: shown(step.title),
    outcome: step.outcome,
    detail: shown(step.detail),
    addresses: step.addresses.map(({ url, answer }) => ({ url: shown(url), answer: shown(answer) })),
    ...(step.advice === undefined ? {} : { advice: shown(step.advice) }),
  };
}

/** The outcome in a sentence. */
export function diagnosisSummary({ steps, state }: Pick<Diagnosis, 'steps' | 'state'>): string {
  const failed = steps.find(({ outcome }) => outcome === 'failed');
  if (failed) {
    return `It stops at “${shown(failed.title)}”.`;
  }
  if (state === 'running') {
    return 'Looking…';
  }
  if (state === 'stopped') {
    return 'Stopped before the end.';
  }
  const warnings = steps.filter(({ outcome }) => outcome === 'warning').length;
  return warnings === 0
    ? 'All steps up to the browser work.'
    : `All steps up to the browser work, with ${counted(warnings, 'warning')}.`;
}

/** The whole as text, to be sent to whoever can mend it. */
export function diagnosisText(diagnosis: Diagnosis): string {
  const lines = [`Sign-in of ${shown(diagnosis.server)}, ${shown(diagnosis.url)}`, diagnosisSummary(diagnosis)];
  diagnosis.steps.map(shownStep).forEach(({ title, outcome, detail, addresses, advice }, index) => {
    lines.push('', `${index + 1}. ${title}: ${outcome}`, ...indented(detail));
    lines.push(...addresses.map(({ url, answer }) => `   - ${url}: ${answer}`));
    lines.push(...(advice === undefined ? [] : indented(`What to do: ${advice}`)));
  });
  return `${lines.join('\n')}\n`;
}

function indented(text: string): string[] {
  return text === '' ? [] : text.split('\n').map((line) => `   ${line}`);
}

function shown(text: string): string {
  const cut = text.length > longest ? `${text.slice(0, longest)}…` : text;
  return cut.split('\n').map(writtenOut).join('\n');
}
