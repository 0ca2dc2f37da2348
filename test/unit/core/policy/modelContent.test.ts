import assert from 'node:assert/strict';
import type { CallToolResult } from '@modelcontextprotocol/client';
import { maxDataLength, toModelParts } from '../../../../src/core/policy/modelContent';
import type { ModelPart } from '../../../../src/core/policy/policyTypes';

const parts = (content: unknown, more: object = {}): readonly ModelPart[] =>
  toModelParts({ content, ...more } as CallToolResult);
const text = (value: string): ModelPart => ({ kind: 'text', text: value });
const png = Buffer.from('\x89PNG\r\n\x1a\nrest of it', 'latin1').toString('base64');
const jpeg = Buffer.from('\xff\xd8\xff\xe0 rest of it', 'latin1').toString('base64');
const bytes = Buffer.from('anything').toString('base64');

describe('results for models', () => {
  it('fault 13: every known block arrives, an unknown one becomes a placeholder, its siblings survive', () => {
    assert.deepEqual(
      parts([
        { type: 'text', text: 'hello' },
        { type: 'resource_link', uri: 'demo://1', name: 'one', mimeType: 'text/plain', description: 'first' },
        { type: 'audio', data: bytes, mimeType: 'audio/wav' },
        { type: 'resource', resource: { uri: 'demo://2', mimeType: 'text/plain', text: 'body' } },
        { type: 'resource', resource: { uri: 'demo://3', blob: bytes } },
        { type: 'hologram', data: '?' },
        { type: 'text', text: 'end' },
      ]),
      [
        text('hello'),
        text('Resource to read: one demo://1 (text/plain, first)'),
        { kind: 'data', mimeType: 'audio/wav', base64: bytes },
        text('Resource demo://2 (text/plain):\nbody'),
        text('[resource demo://3: unknown type, 9 B of binary data]'),
        text('[content of the unknown type "hologram" left out]'),
        text('end'),
      ],
    );
  });

  it('what a server says beside its content stays on the line that quotes it', () => {
    const odd = 'a\u001b[31m\r\n[Portico: b';
    assert.deepEqual(
      parts([
        { type: 'audio', data: bytes, mimeType: odd },
        { type: 'resource_link', uri: `x:${odd}`, name: odd, description: 'd'.repeat(3_000) },
        { type: 'resource', resource: { uri: odd, mimeType: odd, text: 'one\ntwo' } },
      ]),
      [
        text('[audio: a [Portico: b, 9 B of binary data]'),
        text(`Resource to read: a [Portico: b x:a [Portico: b (${'d'.repeat(2_000)}…)`),
        text('Resource a [Portico: b (a [Portico: b):\none\ntwo'),
      ],
    );
  });

  it('fault 13: empty, absent and malformed content does not throw', () => {
    for (const content of [[], undefined, null, 'x', {}]) {
      assert.deepEqual(parts(content), []);
    }
    assert.equal(parts([null, 1, {}, { type: 'image' }, { type: 'resource' }, { type: 'text', text: 5 }]).length, 6);
  });

  it('fault 15: real images are images with the type that their bytes have', () => {
    assert.deepEqual(
      parts([
        { type: 'image', data: png, mimeType: 'image/png' },
        { type: 'image', data: jpeg, mimeType: 'image/png' },
        { type: 'image', data: `${png.slice(0, 8)}\n${png.slice(8)}`, mimeType: '' },
        { type: 'resource', resource: { uri: 'x:1', blob: png, mimeType: 'image/png' } },
      ]),
      ['image/png', 'image/jpeg', 'image/png', 'image/png'].map((mimeType) => ({
        kind: 'image',
        mimeType,
        base64: mimeType === 'image/jpeg' ? jpeg : png,
      })),
    );
  });

  it('fault 15: what models do not take is named with type and size, never sent as text', () => {
    const svg = Buffer.from('<svg/>').toString('base64');
    const large = png + 'A'.repeat(12 * 1_048_576 - png.length);
    assert.ok(large.length > maxDataLength);
    assert.deepEqual(
      parts([
        { type: 'image', data: svg, mimeType: 'image/svg+xml' },
        { type: 'image', data: large, mimeType: 'image/png' },
        { type: 'image', data: 'not base64!', mimeType: 'image/png' },
        { type: 'image', data: bytes, mimeType: 'image/png' },
        { type: 'image', data: png, mimeType: 'image/png' },
      ]).map((part) => (part.kind === 'text' ? part.text : part.kind)),
      [
        '[image left out: image/svg+xml, 6 B, not an image that models take]',
        '[image left out: image/png, 9 MB, too large for a model]',
        '[image left out: image/png, 7 B, not valid base64]',
        '[image left out: image/png, 9 B, not an image that models take]',
        'image',
      ],
    );
  });

  it('fault 11: a failure is marked as one', () => {
    assert.deepEqual(parts([{ type: 'text', text: 'boom' }], { isError: true, structuredContent: { error: 'x' } }), [
      text('The tool reported an error:'),
      text('boom'),
      text('{"error":"x"}'),
    ]);
  });

  it('structured content is added where no text says the same', () => {
    assert.deepEqual(parts([{ type: 'text', text: '{ "a": 1 }' }], { structuredContent: { a: 1 } }), [
      text('{ "a": 1 }'),
    ]);
    assert.deepEqual(parts([], { structuredContent: { a: 1 } }), [text('{"a":1}')]);
  });
});
