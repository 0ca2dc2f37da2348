import { atLeast, atMost, type Figure, interleave } from './measure';

const rounds = 3;

/** The editor server as agents use it: against the SDK's own HTTP server and Node's http alone, and through the bridge. */
export async function editorServer(): Promise<Figure[]> {
  const arms = ['portico', 'sdk', 'firstSdk', 'node'].map((server) => `editorRequests-${server}`);
  const samples = await interleave(arms, rounds);
  const [portico = {}, sdk = {}, firstSdk = {}, node = {}] = arms.map((arm) => samples.get(arm));
  const at = (sample: Readonly<Record<string, number>>, key: string): number => sample[key] ?? NaN;
  const suite = 'editorServer';
  const requests = [
    ['resources/read', 'read'],
    ['tools/call of read_file', 'call'],
  ].flatMap(([name = '', key = '']) => [
    atMost(suite, `${name}: requests per second, 16 in flight`, at(portico, `${key}PerSecond`), '/s'),
    atLeast(
      suite,
      `${name}: Portico / SDK server`,
      at(portico, `${key}PerSecond`) / at(sdk, `${key}PerSecond`),
      '×',
      1.3,
    ),
    atLeast(
      suite,
      `${name}: Portico / server of the SDK's first version`,
      at(portico, `${key}PerSecond`) / at(firstSdk, `${key}PerSecond`),
      '×',
      1.3,
    ),
    atMost(suite, `${name}: Portico / Node http`, at(portico, `${key}PerSecond`) / at(node, `${key}PerSecond`), '×'),
    atMost(
      suite,
      `${name}: processor time of the server, Portico / SDK server`,
      at(portico, `${key}Processor`) / at(sdk, `${key}Processor`),
      '×',
    ),
    atMost(suite, `${name}: p50`, at(portico, `${key}P50`), 'µs'),
    atMost(suite, `${name}: p99`, at(portico, `${key}P99`), 'µs'),
    atMost(suite, `${name}: p50, Portico / SDK server`, at(portico, `${key}P50`) / at(sdk, `${key}P50`), '×'),
    atMost(suite, `${name}: p99, Portico / SDK server`, at(portico, `${key}P99`) / at(sdk, `${key}P99`), '×'),
  ]);
  const bridge = (await interleave(['editorBridge'], rounds)).get('editorBridge') ?? {};
  const idle = (await interleave(['editorIdle'], 1)).get('editorIdle') ?? {};
  return [
    ...requests,
    atMost(suite, 'bridge: start until initialize is answered', at(bridge, 'ready'), 'ms', 300),
    atMost(suite, 'bridge: one hop, p50', at(bridge, 'bridge') - at(bridge, 'direct'), 'µs'),
    atMost(suite, 'bridge: through it / direct, p50', at(bridge, 'bridge') / at(bridge, 'direct'), '×'),
    atMost(suite, 'memory per idle client', at(idle, 'bytes') / 1024, 'KiB'),
  ];
}
