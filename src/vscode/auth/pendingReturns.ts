import type { Disposable } from '../../base/disposable';
import type { Logger } from '../../base/log';

/** A sign-in whose browser is away. */
export interface PendingReturn extends Disposable {
  /** The parameters of the return; never settles when the sign-in is given up before. */
  readonly returned: Promise<URLSearchParams>;
}

/** Hands each return of a browser to the sign-in whose `state` it carries, once; all others go nowhere. */
export class PendingReturns {
  private readonly waiting = new Map<string, (parameters: URLSearchParams) => void>();

  constructor(private readonly log: Logger) {}

  expect(state: string): PendingReturn {
    let settle: (parameters: URLSearchParams) => void = () => undefined;
    const returned = new Promise<URLSearchParams>((resolve) => (settle = resolve));
    this.waiting.set(state, settle);
    return { returned, dispose: () => void this.waiting.delete(state) };
  }

  /** Takes the sign-in that a return belongs to out of those that wait; what it gives hands the return over. */
  take(parameters: URLSearchParams): (() => void) | undefined {
    const states = parameters.getAll('state');
    const [state = ''] = states;
    const settle = states.length === 1 ? this.waiting.get(state) : undefined;
    if (!settle) {
      this.log.warn(
        'A return from a browser was ignored: no sign-in waits for it. It came late, a second time, or from elsewhere.',
      );
      return undefined;
    }
    this.waiting.delete(state);
    return () => settle(parameters);
  }
}

/**
 * The parameters of a return as the editor hands its address on. On the desktop it has decoded them already, so that
 * a `+` is one, and nothing may be decoded twice; in the browser they are as they came.
 */
export function returnParameters(query: string, isDecoded: boolean): URLSearchParams {
  return isDecoded
    ? new URLSearchParams(query.split('&').map((pair): [string, string] => splitPair(pair)))
    : new URLSearchParams(query);
}

function splitPair(pair: string): [string, string] {
  const at = pair.indexOf('=');
  return at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
}
