import assert from 'node:assert/strict';
import { toDisposable } from '../../../../src/base/disposable';
import { ArgumentCompleter } from '../../../../src/vscode/interop/argumentCompleter';
import type { Suggestions } from '../../../../src/vscode/interop/askArgumentsTypes';
import { readSuggestions, serverCompletion } from '../../../../src/vscode/interop/serverCompletion';

class FakeClock {
  private waiting: (() => void)[] = [];
  now = () => 0;
  after(_ms: number, run: () => void) {
    this.waiting.push(run);
    return toDisposable(() => (this.waiting = this.waiting.filter((one) => one !== run)));
  }
  /** The pause after typing is over. */
  pass(): void {
    this.waiting.splice(0).forEach((run) => run());
  }
}

interface Asked {
  readonly value: string;
  readonly signal: AbortSignal;
  answer(...values: string[]): Promise<void>;
  fail(error: unknown): Promise<void>;
}

function setUp() {
  const clock = new FakeClock();
  const asked: Asked[] = [];
  const shown: (readonly [string, readonly string[]])[] = [];
  const complete = (value: string, signal: AbortSignal) =>
    new Promise<Suggestions>((resolve, reject) => {
      const settle = async (run: () => void) => {
        run();
        await new Promise(setImmediate);
      };
      asked.push({
        value,
        signal,
        answer: (...values) => settle(() => resolve({ values, more: false })),
        fail: (error) => settle(() => reject(error as Error)),
      });
    });
  const completer = new ArgumentCompleter(complete, clock, {
    suggested: (value, { values }) => shown.push([value, values]),
    busy: () => undefined,
  });
  const type = (value: string) => {
    completer.type(value);
    clock.pass();
  };
  return { clock, asked, shown, completer, type };
}

describe('argument completion', () => {
  it('fault 60: asks once typing pauses', () => {
    const { asked, clock, completer } = setUp();
    ['k', 'ky', 'kyo'].forEach((value) => completer.type(value));
    assert.equal(asked.length, 0);
    clock.pass();
    assert.deepEqual(
      asked.map(({ value }) => value),
      ['kyo'],
    );
  });

  it('fault 60: cancels what is superseded, drops its answer and has one request in flight', async () => {
    const { asked, shown, type } = setUp();
    type('k');
    type('ky');
    assert.equal(asked.length, 1);
    assert.equal(asked[0]?.signal.aborted, true);
    await asked[0]?.answer('stale');
    assert.deepEqual(
      asked.map(({ value }) => value),
      ['k', 'ky'],
    );
    await asked[1]?.answer('Kyoto');
    assert.deepEqual(shown, [['ky', ['Kyoto']]]);
  });

  it('fault 60: a failure leaves plain typing, and the next text is asked for again', async () => {
    const { asked, shown, type } = setUp();
    type('k');
    await asked[0]?.fail(new Error('slow'));
    type('ky');
    await asked[1]?.answer('Kyoto');
    assert.deepEqual(shown, [
      ['k', []],
      ['ky', ['Kyoto']],
    ]);
  });

  it('is silent after its end', async () => {
    const { asked, shown, completer, type } = setUp();
    type('k');
    completer.dispose();
    assert.equal(asked[0]?.signal.aborted, true);
    await asked[0]?.answer('late');
    assert.deepEqual(shown, []);
  });
});

describe('completion by a server', () => {
  type Complete = Parameters<typeof serverCompletion>[0]['complete'];
  const ref = { type: 'ref/prompt', name: 'report' } as const;
  const { signal } = new AbortController();
  const hub = (complete: Complete, capabilities: object = { completions: {} }) =>
    ({ complete, server: () => ({ lastInfo: { peek: () => ({ capabilities }) } }) }) as unknown as Parameters<
      typeof serverCompletion
    >[0];

  it('fault 60: gives the values of the other arguments as context', async () => {
    const contexts: unknown[] = [];
    const complete = serverCompletion(
      hub(async (_server, _ref, argument, context) => {
        contexts.push([argument, context]);
        return { completion: { values: ['a'] } };
      }),
      'one',
      ref,
    );
    await complete?.('city', 'k', {}, signal);
    await complete?.('style', '', { city: 'Kyoto' }, signal);
    assert.deepEqual(contexts, [
      [{ name: 'city', value: 'k' }, undefined],
      [{ name: 'style', value: '' }, { city: 'Kyoto' }],
    ]);
  });

  it('fault 60: a server without the method is asked once', async () => {
    let requests = 0;
    const complete = serverCompletion(
      hub(async () => {
        requests += 1;
        throw Object.assign(new Error('Method not found'), { code: -32601 });
      }),
      'one',
      ref,
    );
    await assert.rejects(async () => complete?.('city', 'k', {}, signal));
    assert.deepEqual(await complete?.('city', 'ky', {}, signal), { values: [], more: false });
    assert.equal(requests, 1);
  });

  it('fault 60: a server that declares no completions is not asked', () => {
    assert.equal(
      serverCompletion(
        hub(async () => assert.fail(), {}),
        'one',
        ref,
      ),
      undefined,
    );
  });

  it('fault 60: reads a hundred values and that there are more, and passes odd ones over', () => {
    const values = Array.from({ length: 100 }, (_, index) => `v${index}`);
    assert.deepEqual(readSuggestions({ completion: { values, hasMore: true } }), { values, more: true });
    assert.deepEqual(readSuggestions({ completion: { values: [...values, 'x'] } }), { values, more: true });
    assert.deepEqual(readSuggestions({ completion: { values: ['a', 3, null, 'a'] } }), { values: ['a'], more: false });
    assert.deepEqual(readSuggestions({ completion: null }), { values: [], more: false });
  });
});
