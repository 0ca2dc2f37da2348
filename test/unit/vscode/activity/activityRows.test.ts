import assert from 'node:assert/strict';
import type { CallOutcome, CallRecord } from '../../../../src/core/policy/policyTypes';
import { filterWords, matches } from '../../../../src/vscode/activity/activityFilter';
import { activityGroups, activityRow, duration, maxRows } from '../../../../src/vscode/activity/activityRows';
import { callDocument, logDocument } from '../../../../src/vscode/activity/callDocuments';

const now = new Date(2026, 10, 27, 12, 0);
const record = (id: string, outcome: CallOutcome, more: Partial<CallRecord> = {}): CallRecord => ({
  id,
  outcome,
  startedAt: now.getTime() - 1000,
  durationMs: 38,
  caller: { kind: 'chat', label: 'chat' },
  ref: { server: 'files', name: 'read_file' },
  key: 'files',
  exposedName: 'files_read_file',
  args: { path: '/etc/hosts' },
  ...more,
});
const shape = (records: readonly CallRecord[], filter = {}) =>
  activityGroups(records, filter, now).map(({ label, records: rows }) => [label, rows.map(({ id }) => id)]);

describe('Activity', () => {
  it('groups calls: what waits on top, oldest first, then newest first', () => {
    const yesterday = { startedAt: new Date(2026, 10, 26, 23, 59).getTime() };
    const records = [
      record('5', 'waiting'),
      record('4', 'waiting'),
      record('3', 'running'),
      record('2', 'ok'),
      record('1', 'denied', yesterday),
    ];
    assert.deepEqual(shape(records), [
      ['Waiting for You', ['4', '5']],
      ['Running', ['3']],
      ['Today', ['2']],
      ['Earlier', ['1']],
    ]);
    assert.deepEqual(shape([]), []);
  });

  it('caps what is over, never what waits', () => {
    const many = Array.from({ length: maxRows + 50 }, (_, index) => record(String(index), 'ok'));
    const groups = activityGroups([...many, record('w', 'waiting'), record('r', 'running')], {}, now);
    assert.deepEqual(
      groups.map(({ kind, records }) => [kind, records.length]),
      [
        ['waiting', 1],
        ['running', 1],
        ['today', maxRows],
      ],
    );
  });

  it('filters by text, server, who and outcome, and keeps what waits in sight', () => {
    const records = [
      record('1', 'ok'),
      record('2', 'toolError', { key: 'jira', caller: { kind: 'agent', label: 'Claude Code' } }),
      record('3', 'waiting', { key: 'jira' }),
    ];
    assert.deepEqual(shape(records, { server: 'files' }), [
      ['Waiting for You', ['3']],
      ['Today', ['1']],
    ]);
    const found = (filter: Parameters<typeof matches>[1]) =>
      records.filter((one) => matches(one, filter)).map(({ id }) => id);
    assert.deepEqual(found({ text: 'HOSTS' }), ['1', '2', '3']);
    assert.deepEqual(found({ text: 'claude' }), ['2']);
    assert.deepEqual(found({ who: 'chat', server: 'jira' }), ['3']);
    assert.deepEqual(found({ outcome: 'failed' }), ['2']);
    assert.equal(filterWords({ text: 'a', server: 'files' }), 'server files, text “a”');
  });

  it('says in a row and aloud who called what, when, and what came of it', () => {
    const time = new Date(2026, 10, 27, 11, 59, 59).toLocaleTimeString(undefined, { timeStyle: 'short' });
    assert.deepEqual(activityRow(record('1', 'ok')), {
      label: 'read_file',
      description: `files · chat · ${time} · 38 ms`,
      icon: 'check',
      color: 'testing.iconPassed',
      contextValue: 'call.ok',
      spoken: `read_file, done, server files, by chat, 38 ms, at ${time}`,
    });
    const failed = activityRow(record('1', 'failed', { problem: { code: 'X', message: 'It\nbroke' } }));
    assert.equal(failed.description, `failed · files · chat · ${time} · 38 ms`);
    assert.equal(failed.spoken, `read_file, failed, server files, by chat, 38 ms, at ${time}, It broke`);
    assert.equal(activityRow(record('1', 'waiting')).contextValue, 'waiting');
    assert.deepEqual([duration(0.4), duration(1234), duration(125_000)], ['0 ms', '1.2 s', '2 min 5 s']);
  });

  it('writes a call and the log as JSON', () => {
    const one = record('1', 'ok', { result: { content: [] } });
    const written = JSON.parse(callDocument(one)) as Record<string, unknown>;
    assert.deepEqual(
      [written['who'], written['server'], written['tool'], written['arguments'], written['outcome'], written['result']],
      ['chat', 'files', 'read_file', { path: '/etc/hosts' }, 'ok', { content: [] }],
    );
    assert.equal((JSON.parse(logDocument([one])) as unknown[]).length, 1);
  });
});
