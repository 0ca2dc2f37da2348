import assert from 'node:assert/strict';
import { PorticoError } from '../../../../src/base/errors';
import { KnownResources } from '../../../../src/vscode/interop/knownResources';
import { ResourceReader } from '../../../../src/vscode/documents/resourceReader';
import type { ResourceContent } from '../../../../src/vscode/documents/resourceContents';
import { FakeClock } from '../../core/connections/fakeClock';
import { FakeResources } from './fakeResources';

const a = { server: 's', uri: 'x://a' };
const textOf = (contents: readonly ResourceContent[]): string =>
  contents.map(({ bytes }) => Buffer.from(bytes).toString()).join();

describe('ResourceReader', () => {
  let hub: FakeResources;
  let known: KnownResources;
  let reader: ResourceReader;
  let changed: string[];

  beforeEach(() => {
    hub = new FakeResources();
    known = new KnownResources();
    reader = new ResourceReader(hub, known, new FakeClock());
    changed = [];
    reader.onDidChange(({ uri }) => changed.push(uri));
  });
  afterEach(() => reader.dispose());

  const kept = (): string | undefined => {
    const outcome = reader.kept(a);
    return outcome && (outcome.problem ? outcome.problem.code : textOf(outcome.contents));
  };

  it('reads once for all who ask at the same time, and keeps what came', async () => {
    const all = Promise.all([reader.read(a), reader.read(a), reader.outcome(a)]);
    await (await hub.next()).answer('one');
    const [first, second] = await all;
    assert.deepEqual([textOf(first), textOf(second), kept(), hub.asked.length], ['one', 'one', 'one', 1]);
    assert.deepEqual(known.of(a)?.parts, [{ uri: 'x://a', text: true, size: 3 }]);
    assert.deepEqual(changed, []);
  });

  it('asks for consent only where the person is there, and starts a new read then', async () => {
    const silent = reader.read(a);
    const asking = reader.read(a, { interactive: true });
    const [one, two] = [await hub.next(), await hub.next()];
    assert.deepEqual([one.options.interactive, two.options.interactive], [false, true]);
    const refused = assert.rejects(silent, { code: 'NOT_APPROVED' });
    await one.fail(new PorticoError('NOT_APPROVED', 'Not approved.'));
    await refused;
    assert.equal(kept(), 'NOT_APPROVED');
    await two.answer('approved');
    await asking;
    assert.deepEqual([kept(), changed], ['approved', ['x://a']]);
  });

  it('fault 57: keeps the same URI of two servers apart', async () => {
    const both = Promise.all(['one', 'two'].map((server) => reader.read({ server, uri: 'config://main' })));
    await (await hub.next()).answer('of one');
    await (await hub.next()).answer('of two');
    assert.deepEqual((await both).map(textOf), ['of one', 'of two']);
    assert.deepEqual(hub.asked, ['one config://main', 'two config://main']);
    reader.forget({ server: 'one', uri: 'config://main' });
    const left = reader.kept({ server: 'two', uri: 'config://main' });
    assert.equal(left?.problem === undefined && left && textOf(left.contents), 'of two');
  });

  it('ends a read that nobody waits for any longer, and no other', async () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const one = reader.read(a, { signal: first.signal });
    const two = reader.read(a, { signal: second.signal });
    const { options, fail } = await hub.next();
    first.abort();
    await assert.rejects(one, { code: 'CANCELLED' });
    assert.equal(options.signal?.aborted, false);
    second.abort();
    await assert.rejects(two, { code: 'CANCELLED' });
    assert.equal(options.signal?.aborted, true);
    // A new one does not join what was cancelled.
    const fresh = reader.read(a);
    await fail(new PorticoError('CANCELLED', 'Cancelled.'));
    await (await hub.next()).answer('fresh');
    assert.equal(textOf(await fresh), 'fresh');
  });

  it('keeps what it had when only the way to the server failed, not when the server says that it is gone', async () => {
    const read = reader.read(a);
    await (await hub.next()).answer('old');
    await read;
    const lost = reader.outcome(a);
    await (await hub.next()).fail(new PorticoError('CONNECTION_LOST', 'Lost.'));
    assert.deepEqual([(await lost).problem, kept()], [undefined, 'old']);
    const gone = reader.outcome(a);
    await (await hub.next()).fail(Object.assign(new Error('Resource not found'), { code: -32002 }));
    assert.deepEqual([(await gone).problem?.message, kept()], ['Resource not found', '-32002']);
  });

  it('gives every outcome a later time, so that the editor loads it', async () => {
    const times: number[] = [];
    for (const text of ['1', '2', '3']) {
      const read = reader.outcome(a);
      await (await hub.next()).answer(text);
      times.push((await read).at);
    }
    assert.ok(
      times.every((time, index) => index === 0 || time > (times[index - 1] ?? 0)),
      times.join(),
    );
  });
});
