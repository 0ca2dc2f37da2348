import assert from 'node:assert/strict';
import { rateLimited, readRetryAfter, retryDelay } from '../../../../../src/core/connections/remote/retryAfter';

const NOW = Date.UTC(2026, 0, 1);
const dateAfter = (seconds: number): string => new Date(NOW + seconds * 1_000).toUTCString();

describe('Retry-After', () => {
  for (const [value, ms] of [
    ['0', 0],
    ['2', 2_000],
    [' 1.5 ', 1_500],
    [dateAfter(3), 3_000],
    [dateAfter(-3_000_000), 0],
    ['Thursday, 01-Jan-26 00:00:04 GMT', 4_000],
    ['-5', undefined],
    ['soon', undefined],
    ['', undefined],
    ['1e3', undefined],
    ['2026', 2_026_000],
    [undefined, undefined],
  ] as const) {
    it(`reads ${JSON.stringify(value)}`, () => assert.equal(readRetryAfter(value, NOW), ms));
  }

  it('nobody is kept waiting for longer than half a minute, or without an end', () => {
    assert.equal(retryDelay(429, '30', 1, NOW), 30_000);
    for (const [value, tries] of [
      ['31', 1],
      ['100000000000000', 1],
      [dateAfter(1e9), 1],
      ['-5', 1],
      ['0', 3],
    ] as const) {
      assert.equal(retryDelay(429, value, tries, NOW), undefined, value);
    }
  });

  for (const [value, words] of [
    ['45', 'after 45 seconds'],
    ['1', 'after 1 second'],
    ['3600', 'after 60 minutes'],
    ['86400', 'after 24 hours'],
    ['604800', 'after 7 days'],
    [dateAfter(7_200), 'after 120 minutes'],
    ['100000000000000', 'much later: it asks for more than two months'],
    ['9'.repeat(400), 'much later: it asks for more than two months'],
    ['0', 'after a while'],
    ['-5', 'after a while'],
    ['soon', 'after a while'],
    [undefined, 'after a while'],
  ] as const) {
    it(`says ${JSON.stringify(value?.slice(0, 40))} in words`, () =>
      assert.equal(
        rateLimited(429, value, 'remote', NOW)?.message,
        `Server "remote" gets too many requests (HTTP 429). Try again ${words}.`,
      ));
  }
});
