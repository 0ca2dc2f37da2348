import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { effect } from '@preact/signals-core';
import type { ServerStatus } from '../../../src/core/hubTypes';
import { openTestHub } from '../../harness/testHub';
import { HttpServer } from '../httpServer';
import { noCache } from '../noCache';
import { note } from '../note';
import { isMessage, mutatedMessages } from './mutations.mjs';

const PROGRAM = resolve('test/interop/fuzz/fuzzServer.mjs');
const COUNT = 50_000;
/** A call of `flood` sends so many. */
const ROUND = 1_000;
/** Set to repeat a run. */
const SEED = Number(process.env['PORTICO_FUZZ_SEED'] ?? Date.now() % 2 ** 31);
const env = { SEED: String(SEED), COUNT: String(COUNT) };
const caller = { kind: 'cli', label: 'the test' } as const;
const FOUR_MINUTES = 240_000;

/** What may follow on what: a state that is not listed is never left in that way. */
const LEGAL: Readonly<Partial<Record<ServerStatus['kind'], readonly ServerStatus['kind'][]>>> = {
  notApproved: ['stopped', 'starting'],
  stopped: ['starting'],
  starting: ['ready', 'failed', 'stopped', 'reconnecting'],
  ready: ['stopped', 'reconnecting', 'failed'],
  reconnecting: ['ready', 'failed', 'stopped', 'starting'],
  failed: ['starting', 'stopped'],
};

function listenerCounts(): Readonly<Record<string, number>> {
  return Object.fromEntries(process.eventNames().map((name) => [String(name), process.listenerCount(name)]));
}

describe(`fuzz with seed ${SEED}`, () => {
  const escaped: unknown[] = [];
  const onEscape = (error: unknown): void => void escaped.push(error);
  before(() => {
    process.on('uncaughtException', onEscape);
    process.on('unhandledRejection', onEscape);
    process.on('warning', onEscape);
  });
  after(() => {
    process.off('uncaughtException', onEscape);
    process.off('unhandledRejection', onEscape);
    process.off('warning', onEscape);
  });

  it('half of the messages and more are still messages', function () {
    const valid = [...mutatedMessages(SEED, COUNT)].filter(isMessage).length;
    assert.ok(valid > COUNT / 2, `${valid} of ${COUNT}`);
    note(this, `${valid} of ${COUNT}`);
  });

  for (const transport of ['stdio', 'http'] as const) {
    it(`${COUNT} mutated messages over ${transport}`, async function () {
      this.timeout(FOUR_MINUTES);
      const remote =
        transport === 'http' ? await HttpServer.start({ args: [PROGRAM, 'http'], env, listening: /\n/ }) : undefined;
      const url = (await remote?.said(/http:\S+/))?.[0];
      const entry = url ? { url } : { command: process.execPath, args: [PROGRAM], env };
      const before = listenerCounts();
      const test = await openTestHub({ fuzz: entry }, { cache: noCache, implicitConsent: true });
      const kinds: ServerStatus['kind'][] = [];
      const stop = effect(() => {
        const kind = test.hub.server('fuzz')?.status.value.kind;
        if (kind && kind !== kinds.at(-1)) {
          kinds.push(kind);
        }
      });
      try {
        let failed = 0;
        for (let sent = 0; sent < COUNT; sent += ROUND) {
          const ref = { server: 'fuzz', name: 'flood' };
          const calls = await Promise.allSettled([
            test.hub.callTool(ref, {}, { caller }),
            test.hub.callTool({ server: 'fuzz', name: 'echo' }, {}, { caller }),
            test.hub.readResource('fuzz', 'fuzz://item'),
          ]);
          failed += calls.filter(({ status }) => status === 'rejected').length;
        }
        const { content } = await test.hub.callTool({ server: 'fuzz', name: 'echo' }, {}, { caller });
        assert.deepEqual(content, [{ type: 'text', text: 'echo' }]);
        assert.equal(test.hub.server('fuzz')?.status.peek().kind, 'ready');
        note(this, `${failed} of ${(3 * COUNT) / ROUND} requests failed; ${kinds.join(', ')}`);
      } finally {
        stop();
        await test.close();
        await remote?.stop();
      }
      kinds.slice(1).forEach((kind, index) => {
        const from = kinds[index];
        assert.ok(from && LEGAL[from]?.includes(kind), `${from} to ${kind}`);
      });
      assert.deepEqual(escaped, []);
      assert.deepEqual(listenerCounts(), before);
    });
  }
});
