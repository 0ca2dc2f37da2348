import assert from 'node:assert/strict';
import { type Exchange, maxKeptResult, readExchanges, toMetadata } from '../../../../src/vscode/chat/exchanges';

const call = (id: string, result: string) => ({ id, name: 't', input: { a: 1 }, result });

describe('history of @portico', () => {
  it('comes back as it was kept', () => {
    const exchanges: Exchange[] = [
      { text: 'Looking', calls: [call('1', 'found'), call('2', '')] },
      { text: 'Done', calls: [] },
    ];
    assert.deepEqual(readExchanges(JSON.parse(JSON.stringify(toMetadata(exchanges)))), exchanges);
  });

  it('is bounded: long results are cut, the oldest let go', () => {
    const long = 'x'.repeat(100_000);
    const kept = readExchanges(
      toMetadata(Array.from({ length: 40 }, (_, i) => ({ text: '', calls: [call(`${i}`, long)] }))),
    );
    assert.equal(kept.length, 40);
    assert.equal(kept.at(-1)?.calls[0]?.result.length, maxKeptResult);
    assert.equal(kept[0]?.calls[0]?.result, '[result not kept]');
    assert.ok(JSON.stringify(kept).length < 80_000);
  });

  it('passes over what is no exchange', () => {
    const odd = [
      undefined,
      null,
      1,
      {},
      { exchanges: 1 },
      { exchanges: [null, { text: 1, calls: [] }, { text: 'a' }] },
    ];
    assert.deepEqual(
      odd.map(readExchanges),
      odd.map(() => []),
    );
    assert.deepEqual(readExchanges({ exchanges: [{ text: 'a', calls: [{ id: 1 }, null] }] }), [
      { text: 'a', calls: [] },
    ]);
  });
});
