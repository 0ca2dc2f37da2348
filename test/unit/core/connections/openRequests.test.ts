import assert from 'node:assert/strict';
import type { Answerer } from '../../../../src/core/connections/connectionTypes';
import { type BegunRequest, OpenRequests } from '../../../../src/core/connections/openRequests';
import { FakeClock } from './fakeClock';

const answerer = (name: string): Answerer => ({
  capabilities: { experimental: { [name]: {} } },
  answer: async () => ({}),
});

describe('OpenRequests', () => {
  let clock: FakeClock;
  let open: OpenRequests;
  beforeEach(() => {
    clock = new FakeClock();
    open = new OpenRequests(clock);
  });
  afterEach(() => open.dispose());

  /** A request that goes on until it is told to stop, or is ended. */
  function begin(method: string, ms: number, by?: Answerer): BegunRequest & { done: Promise<never> } {
    const { request, end } = open.begin({ method, ms, signal: undefined, answerer: by });
    const done = new Promise<never>((_resolve, reject) => {
      request.signal.addEventListener('abort', () => reject(request.signal.reason as Error));
    });
    return { request, end, done };
  }

  it('lets a request go on while it makes progress, ten times as long at most, and says how long it had', async () => {
    const { request, done } = begin('tools/call', 100);
    const outcome = assert.rejects(done, { data: { timeout: 1_000 } });
    for (let count = 0; count < 19; count += 1) {
      await clock.pass(50);
      request.extend();
      assert.equal(request.signal.aborted, false);
    }
    await clock.pass(50);
    await outcome;
    assert.equal(clock.now(), 1_000);
  });

  it('gives the answerer of the one call, of none where it cannot be told, and of the very call where it can', async () => {
    const [one, two] = [answerer('one'), answerer('two')];
    const question = new AbortController().signal;
    assert.equal(open.answererOf(question), undefined);
    const first = begin('tools/call', 100, one);
    const list = begin('tools/list', 100, two);
    assert.equal(open.answererOf(question), one);
    const second = begin('prompts/get', 100, two);
    assert.equal(open.answererOf(question), undefined);
    open.caused(question, second.request);
    assert.equal(open.answererOf(question), two);
    const over = open.untilOver();
    for (const { end } of [first, second, list]) {
      end();
    }
    assert.equal(over?.aborted, true);
    assert.equal(open.untilOver(), undefined);
  });
});
