import type { Problem } from '../base/errors';
import { visibleJson, visibleLine } from '../base/visibleJson';
import { toldHere } from './toldHere';

export type Row = readonly string[];

const CELL_WIDTH = 80;
/** Of a server's sentence, and of each line of detail: an address may have 8,000 characters. */
const LONGEST_MESSAGE = 2_000;
const LONGEST_DETAIL = 8_000;

/** Where a command writes to: data to stdout, everything else to stderr. What a server says reaches no terminal as it came. */
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

  json(value: unknown, indent = 0): void {
    this.out(`${visibleJson(value, indent)}\n`);
  }

  table(head: Row, rows: readonly Row[]): void {
    const cells = [head, ...rows].map((row) => row.map(toCell));
    const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
    for (const row of cells) {
      const line = row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
      this.out(`${line.trimEnd()}\n`);
    }
  }

  problem(who: string, problem: Problem, detail: readonly string[] = []): void {
    const { code, message } = toldHere(problem);
    this.err(`${bounded(who, CELL_WIDTH)}: ${code}: ${bounded(message, LONGEST_MESSAGE)}\n`);
    for (const line of detail) {
      this.err(`  ${bounded(line, LONGEST_DETAIL)}\n`);
    }
  }
}

/** One line of at most so many characters; says how much was left out. */
export function bounded(text: string, most: number): string {
  const line = visibleLine(text);
  if (line.length <= most) {
    return line;
  }
  const shown = start(line, most);
  return `${shown}… (${line.length - shown.length} more characters)`;
}

function toCell(text: string): string {
  const line = visibleLine(text);
  return line.length > CELL_WIDTH ? `${start(line, CELL_WIDTH - 1)}…` : line;
}

/** No half of a character that takes two. */
function start(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}
