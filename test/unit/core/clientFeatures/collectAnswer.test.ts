import assert from 'node:assert/strict';
import type { SamplingMessageContentBlock } from '@modelcontextprotocol/client';
import { collectAnswer } from '../../../../src/core/clientFeatures/collectAnswer';
import { countWords, words } from './fakeModels';

type Block = SamplingMessageContentBlock;

const use = (input: object): Block => ({ type: 'tool_use', id: 'c1', name: 'look', input: { ...input } });
const collect = (blocks: Iterable<Block>, maxTokens: number, ...stopSequences: string[]) =>
  collectAnswer(blocks, { maxTokens, stopSequences, count: countWords });

describe('an answer of a model', () => {
  it('is put together from its pieces', async () => {
    const answer = await collect([words('one '), words('two'), use({}), words('three')], 100);
    assert.deepEqual(answer, { content: [words('one two'), use({}), words('three')], tokens: 4, end: 'whole' });
  });

  it('fault 45: is cut at the number of tokens that the server wants, and no more of it is read', async () => {
    let read = 0;
    function* endless(): Iterable<Block> {
      for (;;) {
        read += 1;
        yield words(`word${read} `);
      }
    }
    const answer = await collect(endless(), 3);
    assert.equal(answer.end, 'maxTokens');
    assert.equal(answer.tokens, 3);
    assert.deepEqual(answer.content, [words('word1 word2 word3 ')]);
    assert.equal(read, 4);
  });

  it('is cut within a piece too, and not within a character', async () => {
    assert.deepEqual((await collect([words('one two three four')], 2)).content, [words('one two ')]);
    const perUnit = async (text: string): Promise<number> => text.length;
    const { content } = await collectAnswer([words('ab😀cd')], { maxTokens: 3, count: perUnit });
    assert.deepEqual(content, [words('ab')]);
  });

  it('is not cut at exactly the number of tokens', async () => {
    const answer = await collect([words('one '), words('two')], 2);
    assert.deepEqual(answer, { content: [words('one two')], tokens: 2, end: 'whole' });
  });

  it('loses a use of a tool that does not fit, which cannot be cut', async () => {
    const answer = await collect([words('one two'), use({ a: 'x y z' })], 4);
    assert.deepEqual(answer, { content: [words('one two')], tokens: 2, end: 'maxTokens' });
  });

  it('ends before a stop sequence, the first of several, on whatever border it comes', async () => {
    assert.deepEqual(await collect([words('one EN'), words('D two')], 100, 'never', 'END'), {
      content: [words('one ')],
      tokens: 1,
      end: 'stopSequence',
    });
    assert.deepEqual((await collect([words('a STOP b END c')], 100, 'END', 'STOP')).content, [words('a ')]);
    assert.deepEqual((await collect([words('END')], 100, 'END')).content, []);
    assert.equal((await collect([words('one EN')], 100, 'END')).end, 'whole');
  });

  it('is counted now and then only', async () => {
    let counts = 0;
    const pieces = Array.from({ length: 2_000 }, (_, index) => words(`piece${index} `));
    const answer = await collectAnswer(pieces, {
      maxTokens: 4_000,
      count: (text) => {
        counts += 1;
        return countWords(text);
      },
    });
    assert.equal(answer.tokens, 2_000);
    assert.ok(counts < 20, `${counts} counts`);
  });
});
