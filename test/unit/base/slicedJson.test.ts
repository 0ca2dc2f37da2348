import assert from 'node:assert/strict';
import { parseInSlices } from '../../../src/base/slicedJson';

const TOO_DEEP = 'too deep';
const parse = (text: string, levels = 10_000): Promise<unknown> =>
  parseInSlices(Buffer.from(text), { levels, standIn: TOO_DEEP });

/** Numbers between 0 and 1, the same in every run. */
function randoms(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

const texts = ['→é🎉漢', '"quoted" \\ and \n', '\u0000\u001f', '', 'plain text of some length ', '\ud83d'];

function valueOf(random: () => number, depth: number): unknown {
  const kind = Math.floor(random() * (depth > 0 ? 8 : 5));
  const many = Math.floor(random() * 12);
  switch (kind) {
    case 0:
      return random() < 0.5 ? null : random() < 0.5;
    case 1:
      return Math.round(random() * 1e9) / 100;
    case 2:
    case 3:
      return (texts[many % texts.length] ?? '').repeat(many * 3);
    case 4:
      return (texts[many % texts.length] ?? '').repeat(random() < 0.02 ? 40_000 : 2);
    case 5:
    case 6:
      return Array.from({ length: many }, () => valueOf(random, depth - 1));
    default:
      return Object.fromEntries(
        Array.from({ length: many }, (_, index) => [
          `${texts[index % texts.length]}${index}`,
          valueOf(random, depth - 1),
        ]),
      );
  }
}

describe('parseInSlices', () => {
  it('reads what JSON.parse reads', async () => {
    const random = randoms(7);
    let large = 0;
    for (let round = 0; round < 20; round += 1) {
      const value = Array.from({ length: 40 }, () => ({ list: [valueOf(random, 3)], more: valueOf(random, 4) }));
      const text = JSON.stringify(value, null, round % 3);
      large += text.length > 200_000 ? 1 : 0;
      assert.deepEqual(await parse(text), JSON.parse(text));
    }
    assert.ok(large > 3, `${large} large texts`);
  });

  it('cuts long strings at no escape, and at no character', async () => {
    for (const unit of ['\\"', '\\\\', '\\u00e9', 'é', '🎉', 'a\\n', '\\ud83c\\udf89']) {
      for (const front of ['', 'x', 'xy', 'xyz', 'xyzt']) {
        const text = `{"a":["${front}${unit.repeat(120_000)}",1]}`;
        assert.deepEqual(await parse(text), JSON.parse(text));
      }
    }
  });

  it('finds the end of a long string wherever it is', async () => {
    for (const unit of ['x', '\\"', '\\\\', '\\u0022']) {
      for (const size of [65_536, 131_072, 196_608]) {
        for (let more = -8; more <= 8; more += 1) {
          const long = unit.repeat(Math.floor((size + more) / unit.length));
          const text = `{"a":["${long}x",{"b":"\\""}],"c":"${long}"}`;
          assert.deepEqual(await parse(text), JSON.parse(text));
        }
      }
    }
  });

  it('reads a long name, a name given twice, and __proto__ as a name', async () => {
    const long = 'k'.repeat(300_000);
    for (const text of [
      `{"${long}":1,"${long}":{"b":"${long}"}}`,
      `{"__proto__":"${long}","a":1}`,
      `{"a":"${long}","__proto__":{"b":1},"a":2}`,
      `\n[ "${long}" , {"__proto__":[]} ]\r\n `,
    ]) {
      const value = await parse(text);
      assert.deepEqual(value, JSON.parse(text));
      assert.equal(JSON.stringify(value), JSON.stringify(JSON.parse(text)));
    }
  });

  it('refuses what JSON.parse refuses, and other values at the top', async () => {
    const long = `"${'x'.repeat(200_000)}"`;
    const many = Array.from({ length: 60_000 }, (_, index) => index).join();
    for (const text of [
      '',
      '1',
      '"a"',
      `[${long},]`,
      `[,${long}]`,
      `[${long}${long}]`,
      `[${long} 1]`,
      `[1 ${long}]`,
      `{${long}}`,
      `{"a":${long},}`,
      `{"a" ${long}}`,
      `{"a":${long} "b":1}`,
      `{"a":${long},"b"}`,
      `[${many},]`,
      `[${many}`,
      `[${many}}`,
      `[[${many}]`,
      `[${many}]]`,
      `[${many}][]`,
      `[${many}] x`,
      `x [${many}]`,
      `{"a":[${many}],"b":[${many},01]}`,
      `[${many},"\n${'x'.repeat(200_000)}"]`,
      `["${'x'.repeat(200_000)}\\x"]`,
      `["${'x'.repeat(200_000)}`,
      `["${'x'.repeat(200_000)}\n${'x'.repeat(200_000)}"]`,
      `["${'x'.repeat(200_000)}\\`,
      `["${'x'.repeat(200_000)}"${'x'.repeat(200_000)}"]`,
    ]) {
      await assert.rejects(parse(text), SyntaxError, text.slice(0, 40));
    }
  });

  it('puts a stand-in for what is nested too deeply, and counts its brackets alone', async () => {
    const x = 'x'.repeat(100_000);
    const deep = (levels: number, inner: string): string => `${'['.repeat(levels)}${inner}${']'.repeat(levels)}`;
    const expected = (levels: number): unknown => JSON.parse(deep(levels, JSON.stringify(TOO_DEEP)));
    assert.deepEqual(await parse(deep(5, ''), 5), JSON.parse(deep(5, '')));
    assert.deepEqual(await parse(deep(6, ''), 5), expected(5));
    assert.deepEqual(await parse(deep(6, '"]\\"]"'), 5), expected(5));
    assert.deepEqual(await parse(deep(7, `"${x}",{"a":"}"}`), 5), expected(5));
    assert.deepEqual(await parse(`["${x}",${deep(9, '1')},{"a":1,"b":{"c":[1]},"d":2},3]`, 2), [
      x,
      [TOO_DEEP],
      { a: 1, b: TOO_DEEP, d: 2 },
      3,
    ]);
    for (const text of [
      '['.repeat(2_000_000),
      '{"a":'.repeat(2_000_000),
      deep(9, '').slice(1),
      deep(9, '').slice(0, -1),
    ]) {
      await assert.rejects(parse(text, 5), SyntaxError);
    }
  });

  it('lets everything else have its turn', async () => {
    const value = { list: Array.from({ length: 200_000 }, (_, index) => ({ index, name: `name ${index}`, on: true })) };
    let turns = 0;
    const turn = setInterval(() => (turns += 1), 0);
    await parse(JSON.stringify(value));
    clearInterval(turn);
    assert.ok(turns >= 2, `${turns} turns`);
  });
});
