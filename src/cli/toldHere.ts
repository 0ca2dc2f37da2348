import type { Problem } from '../base/errors';

/** Advice of the core that only the editor can follow, and what it is here; what a server wrote stands below its failure. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/ See its log(?:, then start it again)?\./, ''],
  [/\bSee its log, or raise\b/, 'Raise'],
  [/(\b[Rr]aise) portico\.advanced\.startTimeout\b/, '$1 --timeout'],
  [/ Diagnose Sign-In shows [^.]*\./, ''],
];

/** The problem as the command line tells it: there are no logs, settings or commands of the editor. */
export function toldHere({ code, message }: Problem): Problem {
  return { code, message: ADVICE.reduce((text, [advice, here]) => text.replace(advice, here), message) };
}
