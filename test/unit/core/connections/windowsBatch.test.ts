import assert from 'node:assert/strict';
import { refuseUnsafe } from '../../../../src/core/connections/stdioErrors';
import { isBatchFile, unsafeForBatch } from '../../../../src/core/connections/windowsBatch';

describe('batch files of Windows', () => {
  it('are known by their name', () => {
    assert.deepEqual(['C:\\n\\npx.cmd', 'a.BAT', 'node.exe', 'x.cmd.exe', undefined].map(isBatchFile), [
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it('get arguments that reach them unchanged, and no others', () => {
    for (const safe of ['-y', 'a b', 'a & b', '100%', 'C:\\dir\\', '{"a":1}', '', '^x', '--x=a|b']) {
      assert.equal(unsafeForBatch(['first', safe]), undefined, safe);
    }
    for (const unsafe of [
      'a\nb',
      'a\rb',
      '" & calc "',
      '"%PATH%"',
      '"a" | more',
      '"x" > y',
      '{"a":"b & c"}',
      '"^"',
      '"!x!"',
    ]) {
      assert.equal(unsafeForBatch(['first', unsafe]), unsafe, unsafe);
    }
  });

  it('are refused by name, and other programs are not', () => {
    refuseUnsafe('srv', 'C:\\node.exe', ['" & calc "']);
    refuseUnsafe('srv', undefined, ['" & calc "']);
    assert.throws(() => refuseUnsafe('srv', 'C:\\npx.cmd', ['-y', '" & calc "']), {
      code: 'SPAWN_FAILED',
      message: /^"srv" cannot start: the argument .* batch file C:\\npx\.cmd unchanged/,
    });
  });
});
