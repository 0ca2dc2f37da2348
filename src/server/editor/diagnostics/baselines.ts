import { randomUUID } from 'node:crypto';
import { PorticoError } from '../../../base/errors';
import { quoted } from '../../../base/quoted';
import type { DiagnosticItem } from './diagnosticItems';

const maxBaselines = 100;

/** What was known at some time, kept here so that agents need not hold it: only what is new since is then told. */
export class Baselines {
  private readonly baselines = new Map<string, ReadonlyMap<string, number>>();

  /** Returns the id by which it is asked for. */
  save(items: readonly DiagnosticItem[]): string {
    const id = randomUUID().slice(0, 8);
    this.baselines.set(id, countOf(items));
    const oldest = this.baselines.keys().next().value;
    if (this.baselines.size > maxBaselines && oldest !== undefined) {
      this.baselines.delete(oldest);
    }
    return id;
  }

  /**
   * What tells those that the baseline did not have, or not as often. Throws ARGUMENTS_INVALID for one that is not kept any
   * more.
   */
  since(id: string): (items: readonly DiagnosticItem[]) => readonly DiagnosticItem[] {
    const before = this.baselines.get(id);
    if (before === undefined) {
      throw new PorticoError(
        'ARGUMENTS_INVALID',
        `newSince: there is no baseline ${quoted(id)} any more. Leave it out to get everything and a new baseline.`,
      );
    }
    return (items) => {
      const left = new Map(before);
      return items.filter((item) => {
        const print = printOf(item);
        const count = left.get(print) ?? 0;
        left.set(print, count - 1);
        return count <= 0;
      });
    };
  }
}

function countOf(items: readonly DiagnosticItem[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) {
    const print = printOf(item);
    counts.set(print, (counts.get(print) ?? 0) + 1);
  }
  return counts;
}

/** Without its place: lines that were put in above make nothing new. */
function printOf({ uri, severity, source, code, message }: DiagnosticItem): string {
  return JSON.stringify([uri, severity, source, code, message]);
}
