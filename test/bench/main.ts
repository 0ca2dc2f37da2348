import { callArm, openers } from './arms/calls';
import { resourcesArm } from './arms/resources';
import { activation } from './activation';
import { calls, large } from './calls';
import { chat } from './chat';
import { type Figure, report, type Sample } from './measure';
import { resources } from './resources';
import { start, startArm } from './start';
import { warm, warmArm } from './warm';

/** `npm run bench [-- SUITE…]`: every figure is a ratio of arms that were interleaved in this one run. */
const suites: Readonly<Record<string, () => Promise<Figure[]>>> = {
  activation,
  warm,
  calls,
  large,
  resources,
  start,
  chat,
};

function armOf(name: string): (options: never) => Promise<Sample> {
  if (name === 'resources') {
    return resourcesArm;
  }
  if (name in openers) {
    return (options) => callArm(name, options);
  }
  return name === 'cold' || name === 'warm'
    ? (options) => warmArm(name, options)
    : (options) => startArm(name, options);
}

const [first, arm, options] = process.argv.slice(2);
if (first === '--arm') {
  const sample = await armOf(arm!)(JSON.parse(options!) as never);
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
