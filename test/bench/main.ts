import { type Figure, report, type Sample } from './measure';

/**
 * `npm run bench [-- SUITE…]`: every figure is a ratio of arms that were interleaved in this one run. Each suite and arm is
 * loaded by itself: the browser of one is no weight on the heap of another.
 */
const suites: Readonly<Record<string, () => Promise<Figure[]>>> = {
  activation: async () => (await import('./activation')).activation(),
  warm: async () => (await import('./warm')).warm(),
  catalog: async () => (await import('./catalog')).catalog(),
  calls: async () => (await import('./calls')).calls(),
  large: async () => (await import('./calls')).large(),
  resources: async () => (await import('./resources')).resources(),
  start: async () => (await import('./start')).start(),
  editorFiles: async () => (await import('./editorFiles')).editorFiles(),
  editorServer: async () => (await import('./editorServer')).editorServer(),
  chat: async () => (await import('./chat')).chat(),
};

const arms: Readonly<Record<string, (name: string, options: never) => Promise<Sample>>> = {
  warm: async (name, options) => (await import('./warm')).warmArm(name, options),
  catalog: async (_name, options) => (await import('./arms/catalog')).catalogArm(options),
  resources: async (_name, options) => (await import('./arms/resources')).resourcesArm(options),
  editorFiles: async (_name, options) => (await import('./arms/editorFiles')).editorFilesArm(options),
  editorServer: async (_name, options) => (await import('./arms/editorServer')).editorServerArm(options),
  editorRequests: async (name) => (await import('./arms/editorRequests')).editorRequestsArm(name),
  editorBridge: async () => (await import('./arms/editorRequests')).editorBridgeArm(),
  editorIdle: async () => (await import('./arms/editorRequests')).editorIdleArm(),
  start: async (name, options) => (await import('./start')).startArm(name, options),
  stdio: async (name, options) => (await import('./arms/calls')).callArm(name, options),
  http: async (name, options) => (await import('./arms/calls')).callArm(name, options),
};

const [first, arm = '', options = '{}'] = process.argv.slice(2);
if (first === '--arm') {
  const sample = await arms[arm.split('-', 1)[0]!]!(arm, JSON.parse(options) as never);
  console.log(JSON.stringify(sample));
} else {
  const wanted = process.argv.slice(2);
  const unknown = wanted.filter((name) => !(name in suites));
  if (unknown.length > 0) {
    console.error(`unknown suite ${unknown.join(', ')}; there are ${Object.keys(suites).join(', ')}`);
    process.exit(1);
  }
  const figures: Figure[] = [];
  for (const [name, run] of Object.entries(suites)) {
    if (wanted.length === 0 || wanted.includes(name)) {
      try {
        figures.push(...(await run()));
      } catch (error) {
        // The others are measured all the same.
        console.error(`the suite ${name} broke off:`, error);
        process.exitCode = 1;
      }
    }
  }
  report(figures);
}
