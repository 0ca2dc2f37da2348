import assert from 'node:assert/strict';
import { TimeSlices } from '../../../../../src/base/timeSlices';
import { TextIndex } from '../../../../../src/core/catalog/search/textIndex';

const words = (text: string): string[] => text.split(' ').filter((word) => word !== '');
const fields = (...texts: string[]): string[][] => texts.map(words);

async function scores(index: TextIndex, query: string): Promise<readonly number[]> {
  return [...(await index.search(words(query), new TimeSlices()))].map((score) => Math.round(score * 1e6) / 1e6);
}

/** BM25+ for one term: in `frequency` of `size` texts, here `count` times in `length` words, which are `average` as a rule. */
function bm25(size: number, frequency: number, count: number, length: number, average: number): number {
  const rarity = Math.log(1 + (size - frequency + 0.5) / (frequency + 0.5));
  return rarity * (0.5 + (count * 2.2) / (count + 1.2 * (0.3 + (0.7 * length) / average)));
}

const near = (value: number): number => Math.round(value * 1e6) / 1e6;

describe('text index', () => {
  it('scores each field by itself, by how rare a term is, how often it stands there and among how many words', async () => {
    const index = new TextIndex([3, 1]);
    index.add(fields('fox', 'the quick brown fox jumps'));
    index.add(fields('dog', 'lazy dog dog'));
    index.add(fields('cat', 'a cat and a fox'));
    const average = (5 + 2 + 4) / 3;
    assert.deepEqual(await scores(index, 'fox'), [
      near(3 * bm25(3, 1, 1, 1, 1) + bm25(3, 2, 1, 5, average)),
      0,
      near(bm25(3, 2, 1, 4, average)),
    ]);
    assert.deepEqual(await scores(index, 'dog'), [0, near(3 * bm25(3, 1, 1, 1, 1) + bm25(3, 1, 2, 2, average)), 0]);
    assert.deepEqual(await scores(index, 'bird'), [0, 0, 0]);
    assert.deepEqual(await scores(index, 'the of'), [0, 0, 0]);
    assert.deepEqual(await scores(index, ''), [0, 0, 0]);
  });

  it('counts a text with several words of the query for as many times as much', async () => {
    const index = new TextIndex([1]);
    index.add(fields('fox dog'));
    index.add(fields('fox owl'));
    const [fox = 0] = await scores(index, 'fox');
    const [dog = 0] = await scores(index, 'dog');
    const [both = 0, one] = await scores(index, 'fox dog');
    assert.ok(Math.abs(both - 2 * (fox + dog)) < 1e-5);
    assert.equal(one, fox);
    const [repeated = 0] = await scores(index, 'fox fox');
    assert.ok(Math.abs(repeated - 2 * fox) < 1e-5);
  });

  it('finds what begins with a word of four letters or more, the closer the better, below the word itself', async () => {
    const index = new TextIndex([1]);
    for (const text of ['zebra', 'zebras', 'zebrafish', 'zebrafishpond', 'fish']) {
      index.add(fields(text));
    }
    const [whole = 0, form = 0, longer = 0, longest = 0, other] = await scores(index, 'zebra');
    assert.ok(whole === form && form > longer && longer > longest && longest > 0);
    assert.equal(other, 0);
    assert.deepEqual(
      (await scores(index, 'fis')).map((score) => score > 0),
      [false, false, false, false, false],
    );
  });

  it('scores after a deletion as if the text had never been there', async () => {
    const index = new TextIndex([3, 1]);
    const [kept, gone] = [fields('fox den', 'where a fox lives'), fields('fox trap', 'catches a fox that lives alone')];
    index.add(gone);
    index.add(kept);
    index.add(gone);
    index.delete(0);
    index.delete(2);
    index.delete(2);
    const fresh = new TextIndex([3, 1]);
    fresh.add(kept);
    for (const query of ['fox', 'fox lives', 'trap']) {
      assert.deepEqual(await scores(index, query), [0, ...(await scores(fresh, query)), 0]);
    }
    index.delete(1);
    assert.deepEqual(await scores(index, 'fox'), [0, 0, 0]);
    assert.equal(index.add(kept), 3);
    assert.deepEqual(await scores(index, 'fox'), [0, 0, 0, ...(await scores(fresh, 'fox'))]);
  });

  it('takes words that objects have of themselves for words', async () => {
    const index = new TextIndex([1]);
    index.add(fields('constructor __proto__ toString'));
    assert.deepEqual(
      (await scores(index, 'constructor')).map((score) => score > 0),
      [true],
    );
    assert.deepEqual(await scores(index, 'valueOf'), [0]);
  });
});
