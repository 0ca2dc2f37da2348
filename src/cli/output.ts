import type { Problem } from '../base/errors';

export type Row = readonly string[];

const CELL_WIDTH = 80;

/** Where a command writes to: data to stdout, everything else to stderr. */
export interface Output {
  json(value: unknown, indent?: number): void;
  table(head: Row, rows: readonly Row[]): void;
  /** `who` is a server or a file. */
  problem(who: string, problem: Problem, detail?: readonly string[]): void;
}

export class StreamOutput implements Output {
  constructor(
    private readonly out: (text: string) => void,
    private readonly err: (text: string) => void,
  ) {}

  json(value: unknown, indent?: number): void {
    this.out(`${JSON.stringify(value, null, indent)}\n`);
  }

  table(head: Row, rows: readonly Row[]): void {
    const cells = [head, ...rows].map((row) => row.map(toCell));
    const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
    for (const row of cells) {
      const line = row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
      this.out(`${line.trimEnd()}\n`);
    }
  }

  problem(who: string, { code, message }: Problem, detail: readonly string[] = []): void {
    this.err(`${plain(who)}: ${code}: ${plain(message)}\n`);
    for (const line of detail) {
      this.err(`  ${plain(line)}\n`);
    }
  }
}

/** What a server says may hold escape sequences that a terminal would obey. */
function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]+/gu, ' ').trim();
}

function toCell(text: string): string {
  const line = plain(text);
  return line.length > CELL_WIDTH ? `${line.slice(0, CELL_WIDTH - 1)}…` : line;
}
