import assert from 'node:assert/strict';
import { readEntry } from '../../../../src/core/config/readEntry';

const bounds = (more: object): unknown => {
  const reading = readEntry({ command: 'x', ...more });
  return reading.kind === 'entry' ? reading.bounds : reading.faults.map(({ what }) => what);
};

describe('times of an entry', () => {
  it('are seconds, and milliseconds where a host writes them so', () => {
    assert.deepEqual(bounds({ timeout: 90, startTimeout: 2.5 }), { requestMs: 90_000, startMs: 2_500 });
    assert.deepEqual(bounds({ timeout: 600_000 }), { requestMs: 600_000 });
    assert.deepEqual(bounds({ timeout: '30' }), { requestMs: 30_000 });
    assert.deepEqual(bounds({ tool_timeout_sec: 5, startup_timeout_sec: 7 }), { requestMs: 5_000, startMs: 7_000 });
    assert.deepEqual(bounds({ timeoutMs: 500, startup_timeout_ms: 700 }), { requestMs: 500, startMs: 700 });
    assert.deepEqual(bounds({ initTimeout: 9_000 }), { startMs: 9_000 });
    assert.deepEqual(bounds({ timeout: null }), {});
  });

  it('must be numbers above 0, and a start one of three', () => {
    assert.deepEqual(bounds({ timeout: 0 }), ['has "timeout" that is not a number above 0: write seconds']);
    assert.deepEqual(bounds({ startTimeout: 'soon' }), [
      'has "startTimeout" that is not a number above 0: write seconds',
    ]);
    assert.deepEqual(bounds({ start: 'manual' }), { start: 'manual' });
    assert.deepEqual(bounds({ start: 'onStartup' }), [
      'has an unknown "start": write "onDemand", "onOpen" or "manual"',
    ]);
  });

  it('are known where they are misspelt', () => {
    assert.deepEqual(bounds({ timeOut: 5 }), ['has the unknown key "timeOut": write "timeout"']);
    assert.deepEqual(bounds({ Start: 'manual' }), ['has the unknown key "Start": write "start"']);
    assert.deepEqual(bounds({ status: 'x' }), {});
  });
});
