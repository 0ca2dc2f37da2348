import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { startFixture } from '../../harness/httpFixture';
import { openTestHub } from '../../harness/testHub';
import { note } from '../note';
import { fixture } from './habit';
import { inOneGo, longestTurn } from './longestTurn';

/** The longest turn may be such a part of what reading the same text and walking through it takes in one go. */
const MOST_PART = 0.4;
/** What a small message takes anyway, with a collection of garbage, in milliseconds of computing. */
const LEAST_MS = 60;
/** So many rounds at most, of which the best one counts: garbage of the one before may be collected in the middle of a turn. */
const ROUNDS = 3;
/** The call log and the list cache write after a while. */
const WRITES_MS = 700;
const caller = { kind: 'manual', label: 'test' } as const;
const id = 'heavy';

/** Reads a text and looks at every value, as the simplest program would. */
function readAtOnce(text: string): void {
  const open: unknown[] = [JSON.parse(text)];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === 'object' && next !== null) {
      for (const value of Object.values(next)) {
        open.push(value);
      }
    }
  }
}

describe('large messages', () => {
  for (const [way, shapes] of [
    ['stdio', ['string', 'objects', 'numbers']],
    ['http', ['objects']],
  ] as const) {
    for (const shape of shapes) {
      it(`10 MB over ${way}, ${shape}: the event loop turns meanwhile`, async function () {
        const server = way === 'http' ? await startFixture('heavy.mjs', shape, 'http') : undefined;
        const test = await openTestHub({ [id]: server ? { type: 'http', url: server.url } : fixture('heavy', shape) });
        try {
          const { hub } = test;
          await hub.start(id, { interactive: false });
          const { structuredContent } = await hub.callTool({ server: id, name: 'give' }, {}, { caller });
          const text = JSON.stringify(structuredContent);
          const atOnce = inOneGo(() => readAtOnce(text));
          const args = structuredContent as Readonly<Record<string, unknown>>;
          const uses: Readonly<Record<string, () => Promise<unknown>>> = {
            list: () => hub.refresh(id, { interactive: false }),
            result: () => hub.callTool({ server: id, name: 'give' }, {}, { caller }),
            arguments: () => hub.callTool({ server: id, name: 'take' }, args, { caller }),
            resource: () => hub.readResource(id, 'x:large', {}),
          };
          const most = Math.max(LEAST_MS, atOnce * MOST_PART);
          const longest: Record<string, number> = {};
          for (const [name, use] of Object.entries(uses)) {
            for (let round = 0; round < ROUNDS && !((longest[name] ?? Infinity) <= most); round += 1) {
              const turn = await longestTurn(() => use().then(() => delay(WRITES_MS)));
              longest[name] = Math.min(longest[name] ?? Infinity, turn);
            }
          }
          const told = Object.entries(longest).map(([name, ms]) => `${name} ${ms.toFixed(0)}`);
          note(this, `longest turn in ms: ${told.join(', ')}; in one go ${atOnce.toFixed(0)}`);
          assert.deepEqual(
            Object.entries(longest).filter(([, ms]) => ms > most),
            [],
          );
        } finally {
          await test.close();
          await server?.close();
        }
      });
    }
  }
});
