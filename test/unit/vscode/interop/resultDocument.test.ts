import type { CallToolResult } from '@modelcontextprotocol/client';
import assert from 'node:assert/strict';
import { resultFiles } from '../../../../src/vscode/interop/resultDocument';

const files = (result: unknown) => resultFiles(result as CallToolResult, { tool: 't', server: 's', serverId: 's@id' });
const texts = (result: unknown) => files(result).map(({ name, content }) => [name, String(content)]);
const png = 'iVBORw0KGgo=';

describe('resultFiles', () => {
  it('shows one text as it is, in its language', () => {
    assert.deepEqual(texts({ content: [{ type: 'text', text: 'hello' }] }), [['t · s.txt', 'hello']]);
    assert.deepEqual(texts({ content: [{ type: 'text', text: '# Title\n\ntext' }] }), [
      ['t · s.md', '# Title\n\ntext'],
    ]);
    assert.deepEqual(texts({ content: [{ type: 'text', text: '{"a":10000000000000000001}' }] }), [
      ['t · s.json', '{\n  "a": 10000000000000000001\n}'],
    ]);
    assert.deepEqual(texts({ content: [{ type: 'text', text: '{"a": 1' }] })[0]?.[0], 't · s.txt');
  });

  it('shows structured content that a text repeats once', () => {
    const structuredContent = { a: 1 };
    assert.deepEqual(texts({ content: [{ type: 'text', text: '{"a":1}' }], structuredContent }), [
      ['t · s.json', '{\n  "a": 1\n}'],
    ]);
    const both = texts({ content: [{ type: 'text', text: 'one' }], structuredContent });
    assert.equal(both[0]?.[0], 't · s.md');
    assert.match(both[0]?.[1] ?? '', /one[\s\S]*Structured content[\s\S]*"a": 1/);
  });

  it('opens one picture as a picture', () => {
    const [only, ...rest] = files({ content: [{ type: 'image', mimeType: 'image/png', data: png }] });
    assert.equal(only.name, 't · s.png');
    assert.deepEqual(Buffer.from(only.content), Buffer.from(png, 'base64'));
    assert.deepEqual(rest, []);
  });

  it('fault 13: shows every kind of block, an unknown one with its name, and says so when there is none', () => {
    const all = files({
      content: [
        { type: 'text', text: 'words' },
        { type: 'resource_link', uri: 'x://[a](b)', name: 'A *name*' },
        { type: 'audio', mimeType: 'audio/wav', data: png },
        { type: 'resource', resource: { uri: 'x://r.ts', mimeType: 'text/plain', text: 'const a = 1;' } },
        { type: 'resource', resource: { uri: 'x://b', blob: png } },
        { type: 'hologram', data: '?' },
        null,
      ],
    });
    const text = String(all[0].content);
    assert.deepEqual(
      all.map(({ name }) => name),
      ['t · s.md', 'audio-3.wav', 'resource-5.bin'],
    );
    assert.match(text, /words/);
    assert.match(text, /`x:\/\/\[a\]\(b\)`/);
    assert.match(text, /A \\\*name\\\*/);
    assert.match(text, /const a = 1;/);
    assert.match(text, /Unknown content `hologram`/);
    assert.match(String(files({ content: [] })[0].content), /No output/);
    assert.match(String(files({})[0].content), /No output/);
  });

  it('shows content that is no object as it came', () => {
    const [only] = files({ content: [null, 'bare'] });
    assert.match(String(only.content), /1\. Unknown content\n\n```json\nnull\n```/);
    assert.match(String(only.content), /2\. Unknown content\n\n```json\n"bare"\n```/);
  });

  it('fault 15: names a picture that is none', () => {
    const [only] = files({ content: [{ type: 'image', mimeType: 'image/png', data: 'not base64!' }] });
    assert.match(String(only.content), /Cannot be shown: `image\/png`/);
  });

  it('fault 11: says that the tool reported an error', () => {
    const [only] = files({ isError: true, content: [{ type: 'text', text: 'boom' }] });
    assert.match(String(only.content), /\*\*The tool reported an error\.\*\*[\s\S]*boom/);
  });

  it('fault 12: shows the note about a broken output schema', () => {
    const note = { type: 'text', text: '[Portico: does not match]', _meta: { 'portico/note': 'outputSchema' } };
    const [only] = files({ content: [{ type: 'text', text: '{"a":1}' }, note] });
    assert.match(String(only.content), /"a":1[\s\S]*> \\\[Portico\\: does not match\\\]/);
  });

  it('keeps a text inside its fence', () => {
    const [only] = files({ isError: true, content: [{ type: 'text', text: '```\n[x](command:evil)' }] });
    assert.match(String(only.content), /````\n```\n\[x\]\(command:evil\)\n````/);
  });
});
