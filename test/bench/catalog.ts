import { delayFigures } from './loopDelay';
import { atMost, type Figure, interleave } from './measure';

const shapes = [
  { name: '10,000 tools of one server', servers: 1, tools: 10_000 },
  { name: '10,000 tools of 50 servers', servers: 50, tools: 200 },
] as const;

/** What is derived of the lists: names, the index of the search, schemas for models; at first, and as one list grows. */
export async function catalog(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const { name, ...shape } of shapes) {
    const sample = (await interleave(['catalog'], 3, shape)).get('catalog')!;
    const { made, grown, indexed, followed } = sample as Record<'made' | 'grown' | 'indexed' | 'followed', number>;
    figures.push(
      atMost('catalog', `${name}: made, with all names`, made, 'ms'),
      atMost('catalog', `${name}: one list grows / all made`, grown / made, '×', shape.servers > 1 ? 0.1 : undefined),
      atMost('catalog', `${name}: first search`, indexed, 'ms'),
      atMost('catalog', `${name}: search after one list grew / first`, followed / indexed, '×', 0.1),
      ...delayFigures('catalog', name, sample, 50),
    );
  }
  return figures;
}
