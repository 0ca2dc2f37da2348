import assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { PorticoError } from '../../../src/base/errors';
import { NewestList } from '../../../src/base/newestList';
import { type LedgerEntry, maxLedgerEntries } from '../../../src/server/ledgerTypes';
import { promptPart, ReadLedger } from '../../../src/server/readLedger';
import { RefusedError } from '../../../src/server/refusedError';
import { ManualClock } from './manualClock';

const reader = { client: { id: 'codex', label: 'Codex' }, program: 'codex-cli' };
const asked = { kind: 'tool', what: 'read_file', file: 'a.ts', part: 'lines 1-2' } as const;

/** A collection, at once. */
function collect(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

describe('ReadLedger', () => {
  it('takes down who was given what, when, and how much', async () => {
    const clock = new ManualClock();
    const ledger = new ReadLedger(undefined, clock);
    const result = {
      content: [
        { type: 'text', text: 'ä' },
        { type: 'image', data: 'AAAA' },
      ],
    };
    assert.equal(await ledger.follow(asked, reader, async () => result), result);
    assert.deepEqual(ledger.entries.value, [
      { ...asked, id: 1, at: clock.now(), client: 'Codex', program: 'codex-cli', bytes: 6, outcome: 'given' },
    ]);
  });

  it('tells what was refused from what failed, and passes the failure on', async () => {
    const ledger = new ReadLedger();
    const outcome = () => ledger.entries.value[0]?.outcome;
    const denied = new PorticoError('CALL_DENIED', 'no');
    await assert.rejects(
      ledger.follow(asked, reader, () => Promise.reject(denied)),
      denied,
    );
    assert.equal(outcome(), 'refused');
    await assert.rejects(
      ledger.follow(asked, reader, () => Promise.reject(new Error('x'))),
      /x/,
    );
    assert.equal(outcome(), 'failed');
    await ledger.follow(asked, reader, async () => ({ isError: true }));
    assert.equal(outcome(), 'failed');
    await ledger.follow(asked, reader, async () => ({ structuredContent: { state: 'refused' } }));
    assert.equal(outcome(), 'refused');
    assert.deepEqual(
      ledger.entries.value.map(({ id }) => id),
      [4, 3, 2, 1],
    );
  });

  it('counts what there is not as failed, and what is held back as refused', async () => {
    const ledger = new ReadLedger();
    for (const error of [new PorticoError('RESOURCE_UNKNOWN', 'no'), new RefusedError('no')]) {
      await assert.rejects(
        ledger.follow(asked, reader, () => Promise.reject(error)),
        error,
      );
    }
    assert.deepEqual(
      ledger.entries.value.map(({ outcome }) => outcome),
      ['refused', 'failed'],
    );
  });

  it('keeps no more than the beginning of what a client wrote, and nothing else of it alive', async () => {
    const ledger = new ReadLedger();
    const long = (at: number): string => 'x'.repeat(2_000_000).concat(String(at));
    const before = process.memoryUsage().heapUsed;
    for (let at = 0; at < 40; at += 1) {
      const part = promptPart({ text: JSON.parse(JSON.stringify(long(at))) as string });
      const what = { kind: 'prompt', what: long(at), file: long(at).slice(0, 500), part } as const;
      await ledger.follow(what, { ...reader, program: long(at) }, async () => ({}));
    }
    const [{ what, file, part, program } = assert.fail()] = ledger.entries.value;
    assert.deepEqual(
      [what, file, part, program].map((text) => text?.length),
      [1_000, 500, 160, 100],
    );
    // Of 320 MB.
    collect();
    assert.ok(process.memoryUsage().heapUsed - before < 5_000_000);
  });

  it('keeps the newest 2,000, and goes on where the list was emptied', async () => {
    const list = new NewestList<LedgerEntry>(maxLedgerEntries);
    const ledger = new ReadLedger(list);
    for (let count = 0; count < 2_005; count += 1) {
      await ledger.follow({ ...asked, part: String(count) }, reader, async () => ({}));
    }
    const { value } = list.items;
    assert.deepEqual([value.length, value[0]?.part, value.at(-1)?.part], [2_000, '2004', '5']);
    list.clear();
    await ledger.follow(asked, reader, async () => ({}));
    assert.equal(ledger.entries.value.length, 1);
  });

  it('counts what a resource, a prompt and an embedded resource give', async () => {
    const ledger = new ReadLedger();
    const bytes = async (result: object) => {
      await ledger.follow(asked, reader, async () => result);
      return ledger.entries.value[0]?.bytes;
    };
    assert.equal(await bytes({ contents: [{ text: 'abc' }, { blob: 'AAAA' }] }), 7);
    assert.equal(await bytes({ messages: [{ role: 'user', content: { type: 'text', text: 'abcd' } }] }), 4);
    assert.equal(await bytes({ content: [{ type: 'resource', resource: { text: 'ab' } }, { type: 'odd' }] }), 2);
    assert.equal(await bytes({ content: 'none' }), 0);
  });

  it('has the arguments of a prompt in one line', () => {
    assert.equal(promptPart({}), undefined);
    assert.equal(promptPart({ a: 'x\ny', b: 'z' }), 'x y z');
    assert.equal(promptPart({ a: 'x'.repeat(500) })?.length, 160);
  });
});
