import assert from 'node:assert/strict';
import { UpdateLines } from '../../../src/cli/updateLines';
import { FakeClock } from '../core/connections/fakeClock';

describe('lines of updates', () => {
  it('are one at once and one more for a storm, for each resource by itself', async () => {
    const clock = new FakeClock();
    const lines: string[] = [];
    const updates = new UpdateLines((server, uri) => lines.push(`${clock.now()} ${server} ${uri}`), clock);
    for (let count = 0; count < 100; count += 1) {
      updates.add('a', 'x://1');
    }
    updates.add('b', 'x://1');
    assert.deepEqual(lines, ['0 a x://1', '0 b x://1']);
    await clock.pass(250);
    assert.deepEqual(lines.slice(2), ['250 a x://1']);
    await clock.pass(1_000);
    updates.add('a', 'x://1');
    updates.add('a', 'x://1');
    updates.dispose();
    await clock.pass(1_000);
    assert.deepEqual(lines.slice(3), ['1250 a x://1']);
  });
});
