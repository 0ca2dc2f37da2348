import { compare } from './calls';
import { atMost, type Figure, median, runArm, type Sample } from './measure';

const counts = [1_000, 10_000, 100_000] as const;
const rounds = 3;

/** Many resources of one server in tree and search, and one large resource read. */
export async function resources(): Promise<Figure[]> {
  const samples = new Map<number, Sample[]>(counts.map((count) => [count, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const count of counts) {
      samples.get(count)!.push(await runArm('resources', { count }));
    }
  }
  const of = (count: (typeof counts)[number], key: string): number =>
    median(samples.get(count)!.map((sample) => sample[key]!));
  const figure = (name: string, value: number, unit: string, target?: number): Figure =>
    atMost('resources', name, value, unit, target);
  return [
    figure('opening a level, 1,000 resources', of(1_000, 'level'), 'µs'),
    figure('opening a level, 100,000 / 1,000 resources', of(100_000, 'level') / of(1_000, 'level'), '×', 2),
    figure('slowest search of 100,000', of(100_000, 'search'), 'ms', 50),
    figure('making the tree of 100,000', of(100_000, 'made'), 'ms'),
    figure('longest block while tree and index of 100,000 are made', of(100_000, 'delay'), 'ms', 50),
    figure('memory per resource of tree and index, 10,000', of(10_000, 'bytes'), 'bytes'),
    figure('memory per resource, 100,000 / 10,000', of(100_000, 'bytes') / of(10_000, 'bytes'), '×', 1.2),
    ...(await compare('resources', 'read of 10 MB', 'stdio', { measure: 'read' }, { raw: 1.5 }, 3)),
  ];
}
