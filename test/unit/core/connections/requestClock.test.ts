import assert from 'node:assert/strict';
import { type Allowance, RequestClock } from '../../../../src/core/connections/requestClock';
import { FakeClock } from './fakeClock';

describe('RequestClock', () => {
  let clock: FakeClock;
  let requests: RequestClock;
  let expired: string[];
  beforeEach(() => {
    clock = new FakeClock();
    requests = new RequestClock(clock);
    expired = [];
  });
  afterEach(() => requests.dispose());
  const begin = (name: string, ms: number, most = ms): Allowance =>
    requests.begin(ms, most, (total) => expired.push(`${name}@${clock.now()}${most > ms ? ` of ${total}` : ''}`));

  it('lets each request run out at its own time, and none that has ended', async () => {
    begin('long', 500);
    begin('short', 100);
    const ended = begin('ended', 200);
    ended.end();
    await clock.pass(150);
    begin('late', 100);
    await clock.pass(1_000);
    assert.deepEqual(expired, ['short@100', 'late@250', 'long@500']);
  });

  it('stands still until every pause has ended', async () => {
    begin('before', 100);
    await clock.pass(60);
    const first = requests.pause();
    const second = requests.pause();
    await clock.pass(10_000);
    begin('meanwhile', 70);
    first();
    first();
    await clock.pass(10_000);
    assert.deepEqual(expired, []);
    second();
    await clock.pass(1_000);
    assert.deepEqual(expired, ['before@20100', 'meanwhile@20130']);
  });

  it('begins anew for what goes on, up to the most that was given', async () => {
    const going = begin('going', 100, 350);
    const standing = begin('standing', 100, 350);
    for (let round = 0; round < 5; round += 1) {
      await clock.pass(60);
      going.extend();
    }
    standing.extend();
    await clock.pass(1_000);
    assert.deepEqual(expired, ['standing@100 of 100', 'going@350 of 350']);
  });

  it('can be paused again and again', async () => {
    begin('a', 100);
    for (let round = 0; round < 9; round += 1) {
      await clock.pass(10);
      const resume = requests.pause();
      await clock.pass(1_000);
      resume();
    }
    await clock.pass(9);
    assert.deepEqual(expired, []);
    await clock.pass(1);
    assert.deepEqual(expired, ['a@9100']);
  });

  it('forgets everything when it is disposed', async () => {
    begin('a', 100);
    requests.dispose();
    await clock.pass(1_000);
    assert.deepEqual(expired, []);
  });
});
