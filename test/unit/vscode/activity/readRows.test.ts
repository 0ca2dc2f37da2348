import assert from 'node:assert/strict';
import type { LedgerEntry } from '../../../../src/server/ledgerTypes';
import { filterWords, matchesRead } from '../../../../src/vscode/activity/activityFilter';
import { maxRows, readGroups, timeOfDay } from '../../../../src/vscode/activity/activityRows';
import { fileOf, readFacts, readRow, readsDocument } from '../../../../src/vscode/activity/readRows';

const now = new Date(2026, 10, 28, 12, 0);
const entry = (more: Partial<LedgerEntry> = {}): LedgerEntry => ({
  id: 1,
  at: now.getTime() - 1_000,
  client: 'Codex',
  program: 'codex-cli',
  kind: 'tool',
  what: 'read_file',
  file: 'docs/harbour.md',
  part: 'lines 1-20',
  bytes: 2_048,
  outcome: 'given',
  ...more,
});
const time = timeOfDay(entry().at);
/** The time of day, which every row ends with, is left out of what they say. */
const shape = (more: Partial<LedgerEntry>) => {
  const { label, description, icon, spoken } = readRow(entry(more));
  assert.ok(description.endsWith(` · ${time}`) && spoken.endsWith(`, at ${time}`), `${description}; ${spoken}`);
  return [label, description.slice(0, -` · ${time}`.length), icon, spoken.slice(0, -`, at ${time}`.length)];
};

describe('rows of what agents read', () => {
  it('have the file, who read it, by which tool, which part, and how much', () => {
    assert.deepEqual(shape({}), [
      'harbour.md',
      'Codex · read_file · lines 1-20 · 2 KB',
      'check',
      'harbour.md, given, to Codex, read_file, lines 1-20, 2 KB',
    ]);
    assert.deepEqual(shape({ file: undefined, what: 'search_text', part: 'query=ferry' }), [
      'search_text',
      'Codex · query=ferry · 2 KB',
      'check',
      'search_text, given, to Codex, query=ferry, 2 KB',
    ]);
  });

  it('have resources by file or by address, and prompts by name', () => {
    const resource = { kind: 'resource', file: undefined, part: undefined } as const;
    assert.deepEqual(shape({ ...resource, what: 'file:///w/a%20b/h%C3%A4fen.md' }).slice(0, 2), [
      'häfen.md',
      'Codex · 2 KB',
    ]);
    assert.deepEqual(shape({ ...resource, what: 'editor://active' }).slice(0, 2), ['editor://active', 'Codex · 2 KB']);
    assert.equal(
      shape({ ...resource, what: 'portico://files/file%3A%2F%2F%2Fa.md' })[0],
      'portico://files/file:///a.md',
    );
    assert.equal(shape({ ...resource, what: 'file:///w/%zz.md' })[0], '%zz.md');
    assert.deepEqual(shape({ kind: 'prompt', what: 'review', file: undefined, part: undefined }).slice(0, 2), [
      'review',
      'Codex · prompt · 2 KB',
    ]);
    assert.equal(shape({ file: 'C:\\w\\a.ts' })[0], 'a.ts');
  });

  it('say first what was not given', () => {
    assert.deepEqual(shape({ outcome: 'refused', file: '.env', part: undefined, bytes: 0 }), [
      '.env',
      'refused · Codex · read_file',
      'circle-slash',
      '.env, refused, to Codex, read_file',
    ]);
    assert.deepEqual(shape({ outcome: 'failed', bytes: 0 }).slice(1, 3), [
      'failed · Codex · read_file · lines 1-20',
      'error',
    ]);
  });

  it('let no text of an agent break the line or turn it', () => {
    const [label, description, , spoken] = shape({ file: 'a\nb\u202egnp.ts', part: 'query=\u0007x' });
    assert.deepEqual([label, description], ['a b gnp.ts', 'Codex · read_file · query= x · 2 KB']);
    assert.doesNotMatch(String(spoken), /[\n\u0007\u202e]/);
    assert.ok(readFacts(entry({ program: 'x\ny' })).every((fact) => !fact.includes('\n')));
  });

  it('tell the whole of it in the tooltip', () => {
    assert.deepEqual(readFacts(entry()).slice(0, 4), [
      'read_file',
      'docs/harbour.md',
      'lines 1-20',
      'given to Codex (codex-cli)',
    ]);
    assert.match(readFacts(entry()).at(-1) ?? '', / · 2 KB$/);
  });

  it('open what is a file, however it was named', () => {
    assert.equal(fileOf(entry()), 'docs/harbour.md');
    assert.equal(fileOf(entry({ kind: 'resource', what: 'FILE:///w/a.md', file: undefined })), 'FILE:///w/a.md');
    assert.equal(fileOf(entry({ kind: 'resource', what: 'command:x', file: undefined })), undefined);
    assert.equal(fileOf(entry({ kind: 'tool', what: 'file:///w/a.md', file: undefined })), undefined);
  });
});

describe('groups of what agents read', () => {
  it('are today and earlier, as many as the view has rows', () => {
    const many = Array.from({ length: maxRows + 5 }, (_, index) => entry({ id: 1_000 - index }));
    const old = entry({ id: 1, at: new Date(2026, 10, 27, 23, 59).getTime() });
    const shown = (entries: readonly LedgerEntry[]) =>
      readGroups(entries, { reads: true }, now).map(({ label, records }) => [label, records.length, records[0]?.id]);
    assert.deepEqual(shown([entry({ id: 2 }), old]), [
      ['Today', 1, 2],
      ['Earlier', 1, 1],
    ]);
    assert.deepEqual(shown([...many, old]), [['Today', maxRows, 1_000]]);
    assert.deepEqual(shown([]), []);
  });

  it('are filtered by text, agent and outcome', () => {
    const fits = (filter: object, more: Partial<LedgerEntry> = {}) =>
      matchesRead(entry(more), { reads: true, ...filter });
    assert.deepEqual(
      [fits({ text: 'HARBOUR' }), fits({ text: 'lines 1' }), fits({ text: 'ferry' })],
      [true, true, false],
    );
    assert.deepEqual([fits({ who: 'Codex' }), fits({ who: 'Cursor' })], [true, false]);
    assert.deepEqual(
      [
        fits({ outcome: 'done' }),
        fits({ outcome: 'denied or cancelled' }, { outcome: 'refused' }),
        fits({ outcome: 'failed' }),
      ],
      [true, true, false],
    );
    assert.equal(filterWords({ reads: true, who: 'Codex' }), 'what agents read, by Codex');
  });
});

describe('the document of what agents read', () => {
  it('has one JSON object a line, with nothing in it that cannot be seen', () => {
    const text = readsDocument([entry(), entry({ id: 2, part: undefined, what: 'x\u202ey', file: 'a\nb' })]);
    const lines = text.trimEnd().split('\n');
    assert.equal(lines.length, 2);
    assert.deepEqual(JSON.parse(lines[0] ?? ''), {
      time: new Date(now.getTime() - 1_000).toISOString(),
      agent: 'Codex',
      program: 'codex-cli',
      kind: 'tool',
      what: 'read_file',
      file: 'docs/harbour.md',
      part: 'lines 1-20',
      bytes: 2_048,
      outcome: 'given',
    });
    assert.match(lines[1] ?? '', /x\\u202ey/);
    assert.equal(readsDocument([]), '');
  });

  it('is made of 2,000 entries in the blink of an eye', () => {
    const many = Array.from({ length: 2_000 }, (_, id) => entry({ id }));
    const start = performance.now();
    readsDocument(many);
    assert.ok(performance.now() - start < 200);
  });
});
