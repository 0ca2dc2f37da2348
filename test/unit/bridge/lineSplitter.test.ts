import assert from 'node:assert/strict';
import { readLine } from '../../../src/bridge/agentMessage';
import { LineSplitter } from '../../../src/bridge/lineSplitter';

describe('bridge: a line of the agent', () => {
  it('may begin with one byte order mark, which does not go on', () => {
    const text = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
    const line = readLine(`\ufeff${text}`);
    assert.equal(line.kind === 'message' && line.message.text, text);
    assert.equal(readLine(`\ufeff\ufeff${text}`).kind, 'invalid');
  });
});

describe('bridge: lines', () => {
  function split(chunks: readonly (string | Buffer)[], longest?: number): readonly string[] {
    const got: string[] = [];
    const lines = new LineSplitter(
      (line) => got.push(line),
      longest,
      () => got.push('(too long)'),
    );
    chunks.forEach((chunk) => lines.push(Buffer.from(chunk)));
    lines.end();
    return got;
  }

  it('end at line feeds alone, wherever the chunks end', () => {
    const bytes = Buffer.from('a\u2028ü\r\n\nlast');
    assert.deepEqual(split([bytes]), ['a\u2028ü', '', 'last']);
    assert.deepEqual(split([...bytes].map((byte) => Buffer.from([byte]))), ['a\u2028ü', '', 'last']);
  });

  it('that are too long are told of once, and what follows them is read', () => {
    assert.deepEqual(split(['1234', '5\n12345', '67', '8\n1\n1234567'], 5), ['12345', '(too long)', '1', '(too long)']);
  });
});
