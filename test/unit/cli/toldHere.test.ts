import { deepEqual } from 'node:assert/strict';
import { toldHere } from '../../../src/cli/toldHere';

describe('a problem on the command line', () => {
  for (const [said, told] of [
    ['"a" exited with code 3. See its log, then start it again.', '"a" exited with code 3.'],
    ['"a" did not come back in time. See its log.', '"a" did not come back in time.'],
    [
      '"a" was not ready within 1 s: its process did not start. See its log, or raise portico.advanced.startTimeout.',
      '"a" was not ready within 1 s: its process did not start. Raise --timeout.',
    ],
    ['Not ready. See its log, or raise "startTimeout" of its entry.', 'Not ready. Raise "startTimeout" of its entry.'],
    [
      'Not ready. Check its command, or raise portico.advanced.startTimeout. Its last output that was no message: hi',
      'Not ready. Check its command, or raise --timeout. Its last output that was no message: hi',
    ],
    ['x is not called. Diagnose Sign-In shows who names it.', 'x is not called.'],
    ['"a" refuses it. See its own log.', '"a" refuses it. See its own log.'],
  ] as const) {
    it(`is told without what only the editor has: ${said}`, () => {
      deepEqual(toldHere({ code: 'X', message: said }), { code: 'X', message: told });
    });
  }
});
