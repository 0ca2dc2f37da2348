import assert from 'node:assert/strict';
import { StreamOutput } from '../../../src/cli/output';

function written(use: (output: StreamOutput) => void): string {
  let text = '';
  use(
    new StreamOutput(
      (more) => (text += more),
      (more) => (text += more),
    ),
  );
  return text;
}

/** Escapes of 7 and 8 bits, a title, a bell, a carriage return, directions, what takes no room, tags. */
const tricks =
  '\u001b[31m\u009b2J\u001b]0;x\u0007\r\n\u0008\u202egnp\u2066\u200b\u2028\u{e0041}\ufeff\u3164\ufe0f\u007f';
const reachesTerminal = /[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}\u3164\ufe0f]/u;

describe('what the command line writes', () => {
  it('has nothing of a server that a terminal obeys, or that disguises a text', () => {
    const texts = [
      written((output) => output.problem(tricks, { code: '-1', message: tricks }, [tricks])),
      written((output) => output.table(['A'], [[tricks]])),
      written((output) => output.json({ [tricks]: tricks })),
    ];
    for (const text of texts) {
      assert.doesNotMatch(text, reachesTerminal);
    }
  });

  it('is the same value for programs, compact or indented', () => {
    const value = { [tricks]: [tricks, 'ä💥'] };
    for (const indent of [undefined, 0, 2]) {
      assert.deepEqual(JSON.parse(written((output) => output.json(value, indent))), value);
    }
    assert.equal(
      written((output) => output.json({ a: 1 })),
      '{"a":1}\n',
    );
  });

  it('says how much of an endless sentence was left out', () => {
    const problem = (message: string): string =>
      written((output) => output.problem('srv', { code: '-32603', message }, []));
    assert.equal(problem('x'.repeat(2_000)), `srv: -32603: ${'x'.repeat(2_000)}\n`);
    assert.equal(problem('x'.repeat(1_000_000)), `srv: -32603: ${'x'.repeat(2_000)}… (998000 more characters)\n`);
    assert.equal(problem(`x${'💥'.repeat(1_000)}`), `srv: -32603: x${'💥'.repeat(999)}… (2 more characters)\n`);
    const detail = written((output) => output.problem('srv', { code: '1', message: '' }, ['y'.repeat(9_000)]));
    assert.equal(detail.split('\n')[1], `  ${'y'.repeat(8_000)}… (1000 more characters)`);
  });
});
