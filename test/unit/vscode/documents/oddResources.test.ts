import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { systemClock } from '../../../../src/base/clock';
import { KnownResources } from '../../../../src/vscode/interop/knownResources';
import { documentName } from '../../../../src/vscode/interop/documentName';
import {
  toDocumentAddress,
  type ResourceAddress,
  toResourceAddress,
} from '../../../../src/vscode/interop/resourceAddress';
import { ResourceReader } from '../../../../src/vscode/documents/resourceReader';
import { shownOf } from '../../../../src/vscode/documents/resourceText';
import { openTestHub, type TestHub } from '../../../harness/testHub';
import { WireTrace } from '../../core/connections/until';

const entry = (wire: WireTrace, name: string) => ({
  command: process.execPath,
  args: [resolve('test/fixtures/servers/oddResources.mjs'), name],
  env: wire.env,
});

describe('resources of a running server', () => {
  const wire = new WireTrace();
  let test: TestHub;
  let reader: ResourceReader;

  before(async () => {
    test = await openTestHub({ one: entry(wire, 'one'), two: entry(wire, 'two') });
    reader = new ResourceReader(test.hub, new KnownResources(), systemClock);
  });
  after(async () => {
    reader.dispose();
    await test.close();
    wire.dispose();
  });

  const throughDocument = (address: ResourceAddress): ResourceAddress =>
    toResourceAddress(toDocumentAddress(address, documentName(address))) ?? assert.fail();
  const shown = async (uri: string, part?: number) => {
    const address = { server: 'one', uri, ...(part === undefined ? {} : { part }) };
    const outcome = await reader.outcome(address);
    const { bytes, problem } = shownOf(outcome, address);
    return problem?.message ?? Buffer.from(bytes).toString();
  };

  it('fault 56: are asked for by what was listed, byte for byte', async () => {
    await test.hub.refresh('one', { interactive: false });
    const listed =
      test.hub
        .server('one')
        ?.lists.peek()
        .resources.items.map(({ uri }) => uri) ?? [];
    const odd = listed.filter((uri) => !uri.startsWith('odd:'));
    for (const uri of odd) {
      assert.equal(
        await shown(throughDocument({ server: 'one', uri }).uri),
        `one: ${uri.replace(/\p{Cs}/gu, '\ufffd')}`,
      );
    }
    const asked = wire.entries.flatMap(({ method, params }) => (method === 'resources/read' ? [params?.['uri']] : []));
    assert.deepEqual([odd.length, asked], [12, odd]);
  });

  it('fault 57: come from the server that they were chosen of', async () => {
    const texts = await Promise.all(
      ['one', 'two'].map(async (server) => {
        const [content] = await reader.read(throughDocument({ server, uri: 'main' }));
        return Buffer.from(content?.bytes ?? []).toString();
      }),
    );
    assert.deepEqual(texts, ['one: main', 'two: main']);
  });

  it('say so where there is nothing, and show what is empty as empty', async () => {
    assert.equal(await shown('odd://empty'), 'The resource is empty: the server sent no contents.');
    assert.equal(await shown('odd://text/empty.txt'), '');
    assert.match(await shown('odd://nothing', 1), /neither text nor base64/);
    assert.equal(await shown('odd://nothing', 2), 'The resource has 2 parts now, and this was part 3.');
    assert.match(await shown('odd://not-base64.bin'), /neither text nor base64/);
    assert.equal(await shown('odd://no-such'), 'Resource not found');
  });

  it('tell text from bytes by what they are', async () => {
    const isText = async (uri: string) => (await reader.read({ server: 'one', uri })).map(({ text }) => text);
    assert.deepEqual(await isText('odd://text-as-blob.py'), [true]);
    assert.equal(await shown('odd://text-as-blob.py'), 'print("é")\n');
    assert.deepEqual(await isText('odd://nul.txt'), [false]);
    assert.deepEqual(await isText('odd://blob/100'), [false]);
  });

  it('of 20 MB never hold up the process for long', async () => {
    for (const uri of ['odd://size/20000000', 'odd://blob/20000000']) {
      let last = performance.now();
      let longest = 0;
      const watch = setInterval(() => {
        longest = Math.max(longest, performance.now() - last);
        last = performance.now();
      }, 1);
      const [content] = await reader.read({ server: 'one', uri });
      clearInterval(watch);
      assert.equal(content?.size, 20_000_000);
      // 40 ms on an idle machine.
      assert.ok(longest < 250, `${uri} held it up for ${longest.toFixed(0)} ms`);
    }
  });
});
