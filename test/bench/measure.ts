import { spawn } from 'node:child_process';
import { writeFileSync, mkdirSync } from 'node:fs';

/** One line of the report; `value` in `unit`, and whether it meets its target, which it must not exceed unless it is `least`. */
export interface Figure {
  readonly suite: string;
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly target?: number;
  readonly least?: true;
  readonly met?: boolean;
}

/** What one arm measured in one round: named numbers. */
export type Sample = Readonly<Record<string, number>>;

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** A figure held against a target that it must not exceed. */
export function atMost(suite: string, name: string, value: number, unit: string, target?: number): Figure {
  const rounded = Math.round(value * 1000) / 1000;
  return target === undefined
    ? { suite, name, value: rounded, unit }
    : { suite, name, value: rounded, unit, target, met: rounded <= target };
}

/** A figure held against a target that it must reach. */
export function atLeast(suite: string, name: string, value: number, unit: string, target: number): Figure {
  const rounded = Math.round(value * 1000) / 1000;
  return { suite, name, value: rounded, unit, target, least: true, met: rounded >= target };
}

/** Runs one arm in a fresh process of this bundle and reads its sample from the last line of stdout. */
export function runArm(arm: string, options: object = {}): Promise<Sample> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [process.argv[1]!, '--arm', arm, JSON.stringify(options)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.on('error', reject);
    child.on('close', (code) => {
      const line = out.trim().split('\n').pop() ?? '';
      if (code === 0) {
        resolve(JSON.parse(line) as Sample);
      } else {
        reject(new Error(`arm ${arm} ended with ${code}: ${line}`));
      }
    });
  });
}

/** Interleaves the arms over the rounds, each round in another order, and gives each arm's median per number. */
export async function interleave(
  arms: readonly string[],
  rounds: number,
  options: object = {},
): Promise<ReadonlyMap<string, Sample>> {
  const samples = new Map<string, Sample[]>(arms.map((arm) => [arm, []]));
  for (let round = 0; round < rounds; round += 1) {
    const shift = round % arms.length;
    for (const arm of [...arms.slice(shift), ...arms.slice(0, shift)]) {
      samples.get(arm)!.push(await runArm(arm, options));
    }
  }
  return new Map(
    [...samples].map(([arm, list]) => [
      arm,
      Object.fromEntries(Object.keys(list[0]!).map((key) => [key, median(list.map((sample) => sample[key]!))])),
    ]),
  );
}

/** Median time of one step in microseconds, after warming up. */
export async function timed(step: () => Promise<unknown>, times: number, warmUp: number): Promise<number> {
  for (let index = 0; index < warmUp; index += 1) {
    await step();
  }
  const spent: number[] = [];
  for (let index = 0; index < times; index += 1) {
    const start = performance.now();
    await step();
    spent.push((performance.now() - start) * 1000);
  }
  return median(spent);
}

export function report(figures: readonly Figure[]): void {
  const rows = figures.map(({ suite, name, value, unit, target, least, met }) => [
    suite,
    name,
    `${value} ${unit}`,
    target === undefined ? '' : `${least ? '≥' : '≤'} ${target}`,
    met === undefined ? '' : met ? 'met' : 'MISSED',
  ]);
  const header = ['suite', 'figure', 'value', 'target', ''];
  const widths = header.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]!.length)));
  for (const row of [header, ...rows]) {
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    );
  }
  mkdirSync('out', { recursive: true });
  writeFileSync('out/bench.json', `${JSON.stringify(figures, null, 2)}\n`);
}
