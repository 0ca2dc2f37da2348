import assert from 'node:assert/strict';
import type { Client } from '@modelcontextprotocol/client';
import { EditorHarness, textOf } from './editorHarness';
import { offersOf } from './files/temporaryOffers';

interface Schema {
  readonly type?: string;
  readonly enum?: unknown;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** Where a schema lets in a text or list of any length. */
function openEnds(schema: Schema, path: string): string[] {
  const below = [
    ...Object.entries(schema.properties ?? {}).map(([name, value]) => openEnds(value, `${path}.${name}`)),
    ...(schema.items ? [openEnds(schema.items, `${path}[]`)] : []),
  ].flat();
  const isOpen =
    (schema.type === 'string' && schema.maxLength === undefined && schema.enum === undefined) ||
    (schema.type === 'array' && schema.maxItems === undefined);
  return isOpen ? [path, ...below] : below;
}

describe('what agents may send', () => {
  let harness: EditorHarness;
  let client: Client;
  beforeEach(async () => {
    harness = new EditorHarness();
    client = await harness.client();
    harness.editor.write('a.ts', 'one\ntwo\n');
  });
  afterEach(() => harness.dispose());

  it('has an end, as the schemas of all tools say', async () => {
    const { tools } = await client.listTools();
    const files = await offersOf();
    const all = [...tools, ...files.tools];
    files.dispose();
    assert.ok(all.length > 20);
    assert.deepEqual(
      all.flatMap(({ name, inputSchema }) => openEnds(inputSchema as Schema, name)),
      [],
    );
  });

  it('is refused where it is longer, in every kind of request, and not said again', async () => {
    const long = 'a/'.repeat(12_000) + 'x';
    const uris = [long, `diagnostics://file/${long}`, `symbols://file/${long}`, `git://${long}`, `nonsense:${long}`];
    for (const uri of uris) {
      await assert.rejects(client.readResource({ uri }), refused, uri.slice(0, 30));
    }
    await assert.rejects(client.getPrompt({ name: 'fix_problems', arguments: { file: long } }), refused);
    await assert.rejects(client.getPrompt({ name: 'write_test', arguments: { symbol: long } }), refused);
    const ref = { type: 'ref/prompt', name: 'fix_problems' } as const;
    await assert.rejects(client.complete({ ref, argument: { name: 'file', value: long } }), refused);
    for (const [name, args] of [
      ['document_symbols', { file: long }],
      ['definition', { name: long }],
      ['get_diagnostics', { files: [long] }],
      ['get_diagnostics', { folder: 'a', workspace: long }],
      ['workspace_symbols', { query: long }],
      ['workspace_symbols', { query: 'x', cursor: long }],
    ] as const) {
      const result = await harness.call(client, name, args);
      assert.equal(result.isError, true, name);
      assert.ok(textOf(result).length < 1_000, textOf(result));
    }
  });
});

describe('globs of get_diagnostics', () => {
  it('are refused where they are none, or could take forever', async () => {
    const harness = new EditorHarness();
    const client = await harness.client();
    for (const glob of ['\\', '[', `${'*a'.repeat(13)}b`, 'src/**/a/**/a/**/a/**']) {
      const result = await harness.call(client, 'get_diagnostics', { glob });
      assert.equal(result.isError, true, glob);
      assert.match(textOf(result), /^glob: .* (is no glob|has too many wildcards)\./);
    }
    assert.notEqual((await harness.call(client, 'get_diagnostics', { glob: 'src/**/*.test.*' })).isError, true);
    harness.dispose();
  });
});

describe('lists of one page', () => {
  it('refuse a cursor, as nobody got one', async () => {
    const harness = new EditorHarness();
    const client = await harness.client();
    const params = { cursor: 'Zm9v' };
    for (const list of [
      client.request({ method: 'tools/list', params }),
      client.request({ method: 'prompts/list', params }),
      client.request({ method: 'resources/templates/list', params }),
      client.request({ method: 'resources/list', params }),
    ]) {
      await assert.rejects(list, { code: -32_602, message: /cursor is not one of this list/ });
    }
    harness.dispose();
  });
});

function refused(error: Error & { readonly code?: number }): boolean {
  assert.equal(error.code, -32_602);
  assert.ok(JSON.stringify(error).length < 1_000, error.message);
  assert.ok(error.message.length < 1_000, error.message);
  return true;
}
