import assert from 'node:assert/strict';
import type { ServerDefinition } from '../../../../src/core/config/configTypes';
import { serverDetails } from '../../../../src/vscode/servers/serverDetails';
import { fakeServer } from '../../server/fakeHub';

describe('the details of a server', () => {
  const limits = { startMs: 30_000, requestMs: 60_000, start: 'onDemand' } as const;
  const bounds = (entry: Partial<ServerDefinition>): readonly string[] =>
    serverDetails(fakeServer('db', {}, entry), { roots: [], accounts: [], trusted: false, limits, now: 0 })
      .split('\n')
      .filter((line) => /^- (Starts|Time to)/.test(line));

  it('say when it starts and how long it is waited for, and what of that its own entry says', () => {
    assert.deepEqual(bounds({}), ['- Starts: on first use', '- Time to start: 30 s', '- Time to answer: 60 s']);
    assert.deepEqual(bounds({ requestMs: 1_500, start: 'manual' }), [
      '- Starts: by hand (its entry)',
      '- Time to start: 30 s',
      '- Time to answer: 1.5 s (its entry)',
    ]);
    assert.deepEqual(bounds({ startMs: 120_000 }), [
      '- Starts: on first use',
      '- Time to start: 120 s (its entry)',
      '- Time to answer: 60 s',
    ]);
  });
});
