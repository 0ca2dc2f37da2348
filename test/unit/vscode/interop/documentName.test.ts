import assert from 'node:assert/strict';
import { documentName, type NamedResource } from '../../../../src/vscode/interop/documentName';
import { fileName } from '../../../../src/vscode/interop/fileName';

const named = (uri: string, mimeType?: string, more: Partial<NamedResource> = {}): string =>
  documentName({ uri, mimeType, ...more });

describe('documentName', () => {
  it('has the end of the URI, for people to read', () => {
    assert.equal(named('demo://resource/static/document/features.md'), 'features.md');
    assert.equal(named('x://h/docs/'), 'docs');
    assert.equal(named('x://h/a%20b.md?version=2#top'), 'a b.md');
    assert.equal(named('x://h/100%'), '100-');
    assert.equal(named('config://main'), 'main');
    assert.equal(named('urn:x:1'), 'urn-x-1');
    assert.equal(named(''), 'document');
    assert.equal(named('x://h/..'), 'document');
    assert.equal(named('x://h/a%2Fb'), 'a-b');
  });

  it('gives the language by the MIME type, then by the ending', () => {
    assert.equal(named('x://readme', 'text/markdown'), 'readme.md');
    assert.equal(named('x://readme.markdown', 'text/markdown; charset=utf-8'), 'readme.markdown');
    assert.equal(named('x://data.txt', 'application/json'), 'data.txt.json');
    assert.equal(named('x://data.geojson', 'application/geo+json'), 'data.geojson');
    assert.equal(named('x://feed', 'application/atom+xml'), 'feed.xml');
    assert.equal(named('x://script', 'TEXT/X-PYTHON'), 'script.py');
    assert.equal(named('x://SCRIPT.PY', 'text/x-python'), 'SCRIPT.PY');
    assert.equal(named('x://picture', 'image/jpeg'), 'picture.jpg');
  });

  it('lets a type that says nothing say nothing', () => {
    for (const type of [undefined, '', 'text/plain', 'application/octet-stream', 'x/unknown', 'nonsense', '+json+']) {
      assert.equal(named('x://a/count.py', type), 'count.py');
      assert.equal(named('x://a/Makefile', type), 'Makefile');
    }
  });

  it('opens no text as a picture and no notebook as one', () => {
    assert.equal(named('x://a.png', undefined, { text: true }), 'a.png.txt');
    assert.equal(named('x://a', 'image/png', { text: true }), 'a.png.txt');
    assert.equal(named('x://a.svg', 'image/svg+xml', { text: true }), 'a.svg');
    assert.equal(named('x://a.ipynb'), 'a.ipynb.json');
    assert.equal(named('x://a.ipynb', 'application/x-ipynb+json'), 'a.ipynb.json');
    assert.equal(named('x://a.IPYNB', 'text/plain'), 'a.IPYNB.json');
  });

  it('keeps the ending of a name that is too long, and whole characters', () => {
    const long = named(`x://${'a'.repeat(500)}.typescript`, undefined);
    assert.deepEqual([long.length, long.slice(-12)], [120, 'a.typescript']);
    assert.equal(named(`x://${'a'.repeat(500)}`, 'text/markdown').slice(-4), 'a.md');
    assert.doesNotThrow(() => encodeURIComponent(fileName(`a${'\ud83d\ude00'.repeat(200)}.md`)));
    assert.equal(fileName('a\ud800b\udc00'), 'a-b-');
  });
});
