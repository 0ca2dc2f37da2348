import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { effect } from '@preact/signals-core';
import type { ElicitationUi } from '../../../src/core/clientFeatures/clientFeatureTypes';
import type { Hub, ServerStatus } from '../../../src/core/hubTypes';
import { openTestHub } from '../../harness/testHub';
import { HttpServer } from '../httpServer';
import { noCache } from '../noCache';
import { note } from '../note';
import { isMessage, mutatedMessages } from './mutations.mjs';

const PROGRAM = resolve('test/interop/fuzz/fuzzServer.mjs');
/** Of each arm, 100,000 in all. */
const COUNT = 25_000;
const ERAS = ['session', 'stateless'] as const;
/** Starts with an odd handshake. */
const STARTS = 100;
/** Set to repeat a run. */
const SEED = Number(process.env['PORTICO_FUZZ_SEED'] ?? Date.now() % 2 ** 31);
const env = { SEED: String(SEED), COUNT: String(COUNT) };
const caller = { kind: 'cli', label: 'the test' } as const;
const TEN_MINUTES = 600_000;

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

  /** Accepts with what fits and with what does not, and opens no page. */
  const elicitationUi: ElicitationUi = {
    ask: async () => ({ action: 'accept', content: { name: 'Ada' } }),
    visit: async () => ({ action: 'accept', over: Promise.resolve(true) }),
  };

  /** A hub on a fuzzing server; afterwards nothing is left and only legal states were passed. */
  async function withServer(args: readonly string[], use: (hub: Hub) => Promise<void>): Promise<readonly string[]> {
    const remote =
      args[0] === 'http' ? await HttpServer.start({ args: [PROGRAM, ...args], env, listening: /\n/ }) : undefined;
    const url = (await remote?.said(/http:\S+/))?.[0];
    const entry = url ? { url } : { command: process.execPath, args: [PROGRAM, ...args], env };
    const before = listenerCounts();
    const test = await openTestHub({ fuzz: entry }, { cache: noCache, implicitConsent: true, elicitationUi });
    const kinds: ServerStatus['kind'][] = [];
    const stop = effect(() => {
      const kind = test.hub.server('fuzz')?.status.value.kind;
      if (kind && kind !== kinds.at(-1)) {
        kinds.push(kind);
      }
    });
    try {
      await use(test.hub);
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
    return kinds;
  }

  /** How many messages the server has sent, in its own words: they come from no mutated answer. */
  const sentBy = async (hub: Hub): Promise<number> => {
    // An answer that was made up may have taken the place of a list.
    await hub.refresh('fuzz', { interactive: false });
    const { content } = await hub.callTool({ server: 'fuzz', name: 'echo' }, {}, { caller });
    const [block] = content;
    const [, count] = /^echo (\d+)$/.exec(block?.type === 'text' ? block.text : '') ?? [];
    assert.ok(count, JSON.stringify(content).slice(0, 200));
    return Number(count);
  };

  for (const era of ERAS) {
    it(`half of the messages and more are still messages (${era})`, function () {
      const valid = [...mutatedMessages(SEED, COUNT, era)].filter(isMessage).length;
      assert.ok(valid > COUNT / 2, `${valid} of ${COUNT}`);
      note(this, `${valid} of ${COUNT}`);
    });

    for (const transport of ['stdio', 'http'] as const) {
      it(`${COUNT} mutated messages over ${transport} (${era})`, async function () {
        this.timeout(TEN_MINUTES);
        let [failed, asked, sent] = [0, 0, 0];
        const tools = era === 'stateless' ? ['flood', 'echo', 'ask'] : ['flood', 'echo'];
        const kinds = await withServer([transport, era], async (hub) => {
          while (sent < COUNT) {
            const calls = await Promise.allSettled([
              ...tools.map((name) => hub.callTool({ server: 'fuzz', name }, {}, { caller })),
              hub.readResource('fuzz', 'fuzz://item'),
            ]);
            failed += calls.filter(({ status }) => status === 'rejected').length;
            asked += calls.length;
            sent = await sentBy(hub).catch(() => sent);
          }
          assert.equal(await sentBy(hub), COUNT);
          assert.equal(hub.server('fuzz')?.status.peek().kind, 'ready');
        });
        note(this, `${sent} messages; ${failed} of ${asked} requests failed; ${kinds.join(', ')}`);
      });
    }
  }

  it(`${STARTS} starts on what is left of a server/discover`, async function () {
    this.timeout(TEN_MINUTES);
    let failed = 0;
    await withServer(['http', 'stateless', String(STARTS)], async (hub) => {
      for (let start = 0; start < STARTS; start += 1) {
        await hub.restart('fuzz', { interactive: false }).catch(() => (failed += 1));
      }
      await hub.restart('fuzz', { interactive: false }).catch(() => undefined);
      await sentBy(hub);
    });
    note(this, `${failed} failed`);
  });
});
