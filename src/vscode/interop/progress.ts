import { type Clock, systemClock } from '../../base/clock';
import type { ProgressUpdate } from '../../core/connections/connectionTypes';
import { inertLine } from './text';

/** Faster than this nobody can read, in milliseconds. */
const paceMs = 100;
const longest = 120;

/** Passes values on, the first at once and then not more often than people can read; of a burst, the last comes. */
export function paced<T>(pass: (value: T) => void, clock: Clock = systemClock): (value: T) => void {
  let waits = false;
  let next: { readonly value: T } | undefined;
  const tell = (value: T): void => {
    waits = true;
    pass(value);
    clock.after(paceMs, () => {
      waits = false;
      if (next) {
        const { value: last } = next;
        next = undefined;
        tell(last);
      }
    });
  };
  return (value) => {
    if (waits) {
      next = { value };
    } else {
      tell(value);
    }
  };
}

/** A server's progress in words; what a task says of itself is no count. */
export function progressText({ progress, total, message }: ProgressUpdate, isTask = false): string {
  const amount = total === undefined ? short(progress) : `${short(progress)} of ${short(total)}`;
  if (message === undefined || message.trim() === '') {
    return amount;
  }
  const said = inertLine(message, longest);
  return isTask && total === undefined ? said : `${said} (${amount})`;
}

function short(amount: number): string {
  return String(Number(amount.toFixed(2)));
}

/** How far a progress bar moves with each update, in percent: never back, and not at all where the end is unknown. */
export function increments(): (update: ProgressUpdate) => { readonly increment?: number } {
  let reached = 0;
  return ({ progress, total = 0 }) => {
    const now = total > 0 ? Math.min(100, (progress / total) * 100) : 0;
    const increment = Math.max(0, now - reached);
    reached += increment;
    return increment > 0 ? { increment } : {};
  };
}

/** Puts a server's progress into a progress of the window. */
export function progressSteps(progress: {
  report(step: { readonly message: string; readonly increment?: number }): void;
}): (update: ProgressUpdate) => void {
  const step = increments();
  return paced((update) => progress.report({ message: progressText(update), ...step(update) }));
}
