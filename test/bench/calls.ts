import type { Measure } from './arms/calls';
import { delayFigures } from './loopDelay';
import { atMost, type Figure, interleave } from './measure';

export async function compare(
  suite: string,
  name: string,
  kind: 'stdio' | 'http',
  options: { readonly measure: Measure; readonly tools?: number },
  targets: { readonly raw?: number; readonly sdk?: number; readonly loopMs?: number },
  rounds = 5,
): Promise<Figure[]> {
  const arms = [`${kind}-raw`, `${kind}-sdk`, `${kind}-portico`];
  const result = await interleave(arms, rounds, options);
  const [raw, sdk, portico] = arms.map((arm) => result.get(arm)!['us']!) as [number, number, number];
  return [
    atMost(suite, `${name}: raw`, raw, 'µs'),
    atMost(suite, `${name}: Portico / raw`, portico / raw, '×', targets.raw),
    atMost(suite, `${name}: Portico / SDK client`, portico / sdk, '×', targets.sdk),
    atMost(suite, `${name}: SDK client / raw`, sdk / raw, '×'),
    ...delayFigures(suite, `${name}: Portico`, result.get(`${kind}-portico`)!, targets.loopMs),
  ];
}

/** One small call at a time, over a pipe and over loopback HTTP. */
export async function calls(): Promise<Figure[]> {
  return [
    ...(await compare('calls', 'stdio echo', 'stdio', { measure: 'echo' }, { raw: 1.7, sdk: 0.85 })),
    ...(await compare('calls', 'HTTP echo', 'http', { measure: 'echo' }, { raw: 1.9, sdk: 0.75 })),
  ];
}

/** Large answers, a long list, and many notifications. */
export async function large(): Promise<Figure[]> {
  return [
    ...(await compare('large', '1 MB result', 'stdio', { measure: 'mega' }, { raw: 1.3 }, 3)),
    ...(await compare('large', '10 MB result', 'stdio', { measure: 'big' }, { raw: 1.3, loopMs: 50 }, 3)),
    ...(await compare('large', '1 MB result over HTTP', 'http', { measure: 'mega' }, { raw: 1.3 }, 3)),
    ...(await compare('large', '10,000 notifications', 'stdio', { measure: 'flood' }, { loopMs: 50 }, 3)),
    ...(await compare('large', 'tools/list of 10,000', 'stdio', { measure: 'list', tools: 10_000 }, { raw: 1.3 }, 3)),
  ];
}
