import assert from 'node:assert/strict';
import type { Client } from '@modelcontextprotocol/client';
import type { EditorSymbol } from '../../../../src/server/editor/editorTypes';
import { FakeEditor, range } from './fakeEditor';
import { EditorHarness, textOf } from './editorHarness';

describe('symbols and places', () => {
  let harness: EditorHarness;
  let client: Client;

  beforeEach(async () => {
    harness = new EditorHarness();
    client = await harness.client();
    harness.editor.write('shop.ts', 'class Shop {\n  open() {}\n}\nconst open = 1;\nopen;\n  tidy(open, shut);\n');
  });
  afterEach(() => harness.dispose());

  function symbol(name: string, line: number, character: number, more: Partial<EditorSymbol> = {}): EditorSymbol {
    const selection = range(line, character, line, character + name.length);
    const uri = harness.editor.uri('shop.ts');
    return {
      name,
      kind: 'method',
      detail: '',
      container: undefined,
      uri,
      range: selection,
      selection,
      children: [],
      ...more,
    };
  }
  function withSymbols(): void {
    const shop = symbol('Shop', 0, 6, { kind: 'class', range: range(0, 0, 2, 1), children: [symbol('open', 1, 2)] });
    harness.editor.symbols.set(harness.editor.uri('shop.ts'), [shop, symbol('open', 3, 6, { kind: 'variable' })]);
  }
  const call = (name: string, args: Record<string, unknown>) => harness.call(client, name, args);

  it('gives the symbols of a file one-based, with what contains them', async () => {
    withSymbols();
    const result = await call('document_symbols', { file: 'shop.ts' });
    assert.equal(textOf(result), 'shop.ts:1:7 class Shop\nshop.ts:2:3 method Shop.open\nshop.ts:4:7 variable open');
    const first = (result.structuredContent as { items: { startLine: number; lastLine: number }[] }).items[0];
    assert.deepEqual([first?.startLine, first?.lastLine], [1, 3]);
  });

  it('says where nobody provides symbols, rather than that there are none', async () => {
    const result = await call('document_symbols', { file: 'shop.ts' });
    assert.equal(result.isError, true);
    assert.match(textOf(result), /No language extension gives the symbols of typescript files/);
  });

  it('snaps a miscounted column to the nearest name and says which it took', async () => {
    harness.editor.locations = [{ uri: harness.editor.uri('shop.ts'), range: range(3, 6, 3, 10) }];
    const result = await call('definition', { file: 'shop.ts', line: 6, column: 14 });
    assert.deepEqual((result.structuredContent as { symbol: object }).symbol, {
      file: 'shop.ts',
      line: 6,
      column: 14,
      token: 'shut',
      sourceLine: '  tidy(open, shut);',
    });
    assert.deepEqual(harness.editor.requests.at(-1)?.at, { line: 5, character: 13 });
    assert.equal(textOf(result), 'shop.ts:4:7 const open = 1;');
    await call('definition', { file: 'shop.ts', line: 6, column: 1 });
    assert.deepEqual(harness.editor.requests.at(-1)?.at, { line: 5, character: 2 });
  });

  it('takes a name, with its class or its line where several have it', async () => {
    withSymbols();
    const ambiguous = await call('hover', { file: 'shop.ts', name: 'open' });
    assert.equal(ambiguous.isError, true);
    assert.match(textOf(ambiguous), /could be one of 2[^]*shop\.ts:2 method Shop\.open\nshop\.ts:4 variable open/);
    harness.editor.hovers = ['**open**'];
    assert.equal(textOf(await call('hover', { file: 'shop.ts', name: 'Shop.open' })), '**open**');
    assert.deepEqual(harness.editor.requests.at(-1)?.at, { line: 1, character: 2 });
    await call('hover', { file: 'shop.ts', name: 'open', line: 4 });
    assert.deepEqual(harness.editor.requests.at(-1)?.at, { line: 3, character: 6 });
    harness.editor.found = [symbol('Shop', 0, 6, { kind: 'class' })];
    await call('hover', { name: 'Shop' });
    assert.deepEqual(harness.editor.requests.at(-1)?.at, { line: 0, character: 6 });
    assert.match(textOf(await call('hover', { name: 'Shed' })), /no symbol "Shed" is known/);
  });

  it('finds a name as text where no extension knows symbols', async () => {
    const several = await call('hover', { file: 'shop.ts', name: 'open' });
    assert.match(textOf(several), /stands on several lines[^]*2: open\(\) \{\}\n4: const open = 1;/);
    await call('hover', { file: 'shop.ts', name: 'shut' });
    assert.deepEqual(harness.editor.requests.at(-1)?.at, { line: 5, character: 13 });
  });

  it('marks places outside the workspace and gives nothing of their text', async () => {
    const inside = { uri: harness.editor.uri('shop.ts'), range: range(0, 6, 0, 10) };
    const outside = { uri: 'file:///usr/lib/lib.d.ts', range: range(9, 0) };
    harness.editor.write('.env', 'SECRET=1');
    const secret = { uri: harness.editor.uri('.env'), range: range(0, 0) };
    harness.editor.locations = [outside, secret, inside, inside];
    const result = await call('references', { file: 'shop.ts', line: 1, column: 7 });
    const { items, total } = result.structuredContent as {
      total: number;
      items: { external?: boolean; sourceLine?: string; line: number }[];
    };
    assert.equal(total, 3);
    assert.deepEqual(
      items.map(({ external, sourceLine, line }) => [external, sourceLine, line]),
      [
        [undefined, 'class Shop {', 1],
        [true, undefined, 1],
        [true, undefined, 10],
      ],
    );
  });

  it('asks which folder is meant where a path fits several', async () => {
    const many = new EditorHarness(new FakeEditor(['one', 'two']));
    try {
      many.editor.write('x.ts', 'a');
      many.editor.write('../two/x.ts', 'b');
      const agent = await many.client();
      const result = await many.call(agent, 'get_diagnostics', { files: ['x.ts'] });
      assert.equal(result.isError, true);
      assert.match(textOf(result), /several folders[^]*one, two/);
      const chosen = await many.call(agent, 'get_diagnostics', { files: ['x.ts'], workspace: 'two' });
      assert.deepEqual((chosen.structuredContent as { files: { file: string }[] }).files[0]?.file, 'two/x.ts');
    } finally {
      many.dispose();
    }
  });

  it('gives symbols as a resource, and an error where there is no such file', async () => {
    withSymbols();
    const { contents } = await client.readResource({ uri: 'symbols://file/shop.ts' });
    assert.match(JSON.stringify(contents), /Shop\.open/);
    await assert.rejects(client.readResource({ uri: 'symbols://file/none.ts' }), { code: -32_602 });
  });
});
