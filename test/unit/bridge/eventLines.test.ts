import assert from 'node:assert/strict';
import { EventLines } from '../../../src/bridge/eventLines';

describe('bridge: events of a window', () => {
  it('are read however many there are, and given up where one has no end', () => {
    const read: string[] = [];
    const lines = new EventLines((data) => read.push(data), 100);
    const push = (text: string): void => lines.push(Buffer.from(text));
    for (let count = 0; count < 10; count += 1) {
      push(`: alive\n\ndata: ${'x'.repeat(40)}\n`);
      push('data: y\n\n');
    }
    assert.deepEqual(read, Array<string>(10).fill(`${'x'.repeat(40)}\ny`));
    push(`data: ${'x'.repeat(90)}`);
    assert.throws(() => push('xxxxx'), /more than 100 bytes/);
    const many = new EventLines(() => undefined, 100);
    assert.throws(() => {
      for (let count = 0; count < 20; count += 1) {
        many.push(Buffer.from('data: x\n'));
      }
    }, /more than 100 bytes/);
  });
});
