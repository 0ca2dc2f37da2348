import { equal } from 'node:assert/strict';
import { sizeText } from '../../../src/base/sizeText';

describe('sizeText', () => {
  for (const [bytes, text] of [
    [0, '0 B'],
    [1_023, '1023 B'],
    [1_024, '1 KB'],
    [12_400, '12 KB'],
    [1_048_575, '1 MB'],
    [20 * 1_048_576, '20 MB'],
    [3 * 1_024 ** 3, '3 GB'],
    [5_000 * 1_024 ** 4, '5000 TB'],
  ] as const) {
    it(`says ${bytes} as ${text}`, () => equal(sizeText(bytes), text));
  }
});
