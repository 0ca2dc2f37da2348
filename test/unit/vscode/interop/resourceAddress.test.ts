import assert from 'node:assert/strict';
import {
  type DocumentAddress,
  toDocumentAddress,
  toDocumentPath,
  toResourceAddress,
} from '../../../../src/vscode/interop/resourceAddress';

const addresses = [
  { server: 'files', uri: 'foo:///bar/baz.txt' },
  { server: 'a/b@.vscode/mcp.json', uri: 'urn:x:1' },
  { server: 'files', uri: 'KB://Docs/A b' },
  { server: 'files', uri: 'x://h/%7Euser' },
  { server: 'files', uri: 'HTTP://EX.com/a' },
  { server: 'files', uri: 'x://h/a/../b?q=%20#f#g' },
  { server: 'größe 日本', uri: 'x://h/é e\u0301 \ud83d\ude00' },
  { server: 'files', uri: 'x://lone/\ud800 \udc00' },
  { server: 'files', uri: '' },
  { server: '..', uri: '..', part: 0 },
  { server: 'files', uri: 'x://h/many', part: 12 },
];

/** What becomes of an address on its way through the editor's URIs: text, and back. */
function throughText({ scheme, path, query }: DocumentAddress): DocumentAddress {
  const url = new URL(`${scheme}:${path.replace(/[^/]+/g, encodeURIComponent)}?${query}`);
  return { scheme: url.protocol.slice(0, -1), path: decodeURIComponent(url.pathname), query: url.search.slice(1) };
}

describe('addresses of resource documents', () => {
  it('fault 56: give back server, URI and part, every character', () => {
    for (const address of addresses) {
      const document = toDocumentAddress(address, 'name.md');
      assert.deepEqual(toResourceAddress(throughText(document)), address);
      const path = toDocumentPath(address, 'name.md');
      assert.deepEqual(toResourceAddress(throughText({ ...document, path, query: '' })), address);
    }
  });

  it('fault 56: give back any URI', () => {
    let seed = 1;
    const random = (below: number): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    const alphabet = 'aB0 /\\:?#%&=+;,~.-_"\'<>()[]{}|^`\n\t\0\u007fÄß\u0301日\u202e\ud83d\ude00\ud800\udc00\ufeff';
    for (let round = 0; round < 500; round += 1) {
      const any = (): string => Array.from({ length: random(30) }, () => alphabet[random(alphabet.length)]).join('');
      const address = { server: any(), uri: any(), ...(round % 2 === 0 ? { part: random(9) } : {}) };
      const document = toDocumentAddress(address, any());
      assert.deepEqual(toResourceAddress(throughText(document)), address);
      assert.match(document.path, /^\/resources\/[^/]+\/[^/]+$/);
      const path = toDocumentPath(address, any());
      assert.deepEqual(toResourceAddress(throughText({ ...document, path, query: '' })), address);
    }
  });

  it('fault 57: differ for the same URI of two servers', () => {
    const [one, two] = ['one', 'two'].map((server) => toDocumentAddress({ server, uri: 'config://main' }, 'main'));
    assert.notEqual(one?.query, two?.query);
    assert.notEqual(one?.path, two?.path);
  });

  it('end in the name of the document', () => {
    assert.match(toDocumentAddress({ server: 's', uri: 'x' }, 'a b.md').path, /^\/resources\/s\/a b\.md$/);
    assert.match(toDocumentPath({ server: 's', uri: 'x' }, 'a b.md'), /^\/resources\/[\w-]+\/s\/a b\.md$/);
  });

  it('are none where they were made up, or are folders of documents', () => {
    const good = toDocumentAddress({ server: 's', uri: 'x' }, 'a.md');
    for (const made of [
      { ...good, scheme: 'file' },
      { ...good, path: '/resources/s' },
      { ...good, path: '/resources' },
      { ...good, path: '/results/s/a.md' },
      { ...good, query: '' },
      { ...good, query: 'bm9uc2Vuc2U' },
      { ...good, query: Buffer.from('["s"]').toString('base64url') },
      { ...good, query: Buffer.from('null').toString('base64url') },
    ]) {
      assert.equal(toResourceAddress(made), undefined, JSON.stringify(made));
    }
  });
});
