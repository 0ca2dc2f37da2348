import assert from 'node:assert/strict';
import { appendFile, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../../src/base/clock';
import { NullLogger } from '../../../../src/base/log';
import { RecordingCallLog } from '../../../../src/core/policy/callLog';
import type { CallOutcome, CallRecord } from '../../../../src/core/policy/policyTypes';
import { caller, text } from './policyFixtures';

function record(id: string, outcome: CallOutcome = 'running'): CallRecord {
  const ref = { server: 's', name: 't' };
  return { id, startedAt: 1, caller: caller('cli'), ref, key: 's', exposedName: 's_t', args: { a: 1 }, outcome };
}

describe('call log', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'portico-calls-'));
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  const open = (storageDir?: string) =>
    new RecordingCallLog({ clock: systemClock, log: new NullLogger(), ...(storageDir ? { storageDir } : {}) });
  const ids = (log: RecordingCallLog) => log.records.value.map(({ id }) => id);

  it('is newest first, bounded, with what waits on top and never dropped', () => {
    const log = open();
    log.add(record('waiting', 'waiting'));
    for (let n = 0; n < 250; n += 1) {
      log.update(log.add(record(`${n}`)), { outcome: 'ok' });
    }
    assert.deepEqual(ids(log).slice(0, 3), ['waiting', '249', '248']);
    assert.equal(log.records.value.length, 200);
    log.clear();
    assert.deepEqual(ids(log), ['waiting']);
    log.dispose();
  });

  it('survives a restart: ended calls with arguments and small results', async () => {
    const log = open(folder);
    log.update(log.add(record('1')), { outcome: 'ok', result: text('small') });
    log.update(log.add(record('2')), { outcome: 'ok', result: text('x'.repeat(50_000)) });
    log.add(record('3'));
    await log.flush();
    log.dispose();
    await appendFile(join(folder, 'calls.jsonl'), '{"cut by a cra');
    const next = open(folder);
    next.add(record('4'));
    await next.load();
    assert.deepEqual(ids(next), ['4', '2', '1']);
    assert.deepEqual(next.records.value[2]?.result, text('small'));
    assert.deepEqual(next.records.value[1]?.args, { a: 1 });
    assert.equal(next.records.value[1]?.result, undefined);
    next.clear();
    await next.flush();
    await assert.rejects(stat(join(folder, 'calls.jsonl')));
    next.dispose();
  });

  it('keeps the file bounded', async () => {
    const log = open(folder);
    for (let n = 0; n < 300; n += 1) {
      const big = { ...record(`${n}`), args: { text: 'x'.repeat(20_000) } };
      log.update(log.add(big), { outcome: 'ok' });
      if (n % 100 === 99) {
        await log.flush();
      }
    }
    await log.flush();
    const lines = (await readFile(join(folder, 'calls.jsonl'), 'utf8')).trimEnd().split('\n');
    assert.equal(lines.length, 200);
    assert.equal((JSON.parse(lines[199] ?? '') as CallRecord).id, '299');
    log.dispose();
  });

  it('does not hold large results in memory', () => {
    const log = open();
    const large = { ...text('x'.repeat(1_000_000)), isError: true };
    log.update(log.add(record('1')), { outcome: 'toolError', result: large });
    assert.ok(JSON.stringify(log.records.value[0]?.result).length < 200);
    assert.equal(log.records.value[0]?.result?.isError, true);
    log.dispose();
  });

  it('starts empty where there is no file', async () => {
    const log = open(join(folder, 'missing'));
    await log.load();
    assert.deepEqual(ids(log), []);
    log.dispose();
  });
});
