import { callArm, openers } from './arms/calls';
import { resourcesArm } from './arms/resources';
import { activation } from './activation';
import { calls, large } from './calls';
import { chat } from './chat';
import { type Figure, report } from './measure';
import { resources } from './resources';
import { start, startArm } from './start';

/** `npm run bench [-- SUITE…]`: every figure is a ratio of arms that were interleaved in this one run. */
const suites: Readonly<Record<string, () => Promise<Figure[]>>> = { activation, calls, large, resources, start, chat };

const [first, arm, options] = process.argv.slice(2);
if (first === '--arm') {
  const sample =
    arm === 'resources'
      ? await resourcesArm(JSON.parse(options!))
      : arm! in openers
        ? await callArm(arm!, JSON.parse(options!))
        : await startArm(arm!);
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
      figures.push(...(await run()));
    }
  }
  report(figures);
}
