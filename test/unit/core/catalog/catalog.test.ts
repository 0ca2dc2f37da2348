import assert from 'node:assert/strict';
import { effect, signal } from '@preact/signals-core';
import { createCatalog } from '../../../../src/core/catalog/catalog';
import { list, lists, server, tool } from './catalogFixtures';

describe('catalog', () => {
  it('joins the servers in their order and finds tools by name and by identity', () => {
    const catalog = createCatalog(signal([server('one', [tool('a'), tool('b.c')]), server('two', [tool('a')])]));
    assert.deepEqual(
      catalog.tools.value.map(({ exposedName }) => exposedName),
      ['one_a', 'one_b_c', 'two_a'],
    );
    assert.deepEqual(catalog.toolByExposedName('one_b_c')?.ref, { server: 'one', name: 'b.c' });
    assert.equal(catalog.toolByRef({ server: 'two', name: 'a' })?.exposedName, 'two_a');
    assert.equal(catalog.toolByRef({ server: 'two', name: 'b' }), undefined);
    assert.equal(catalog.toolsOf('nobody').length, 0);
  });

  it('rebuilds only the part of the server that changed', () => {
    const one = server('one', [tool('a')]);
    const two = server('two', [tool('a')]);
    const servers = signal([one, two]);
    const catalog = createCatalog(servers);
    const before = catalog.tools.value;
    two.lists.value = lists([tool('a'), tool('b')]);
    assert.equal(catalog.tools.value[0], before[0]);
    assert.notEqual(catalog.tools.value[1], before[1]);
    const [, second] = catalog.tools.value;
    servers.value = [one, two, server('three', [])];
    assert.equal(catalog.tools.value[1], second);
  });

  it('keeps the entries of tools that are the same ones under the same names', () => {
    const [a, b, c] = [tool('a'), tool('b'), tool('c')];
    const bad = { name: 'bad', problem: { code: 'X', message: 'no schema' }, raw: {} };
    const one = server('one', []);
    one.lists.value = lists([a, b], [bad]);
    const catalog = createCatalog(signal([one]));
    const before = catalog.tools.value;
    one.lists.value = lists([a, b], [bad]);
    assert.equal(catalog.tools.value, before);

    const other = tool('b', { description: 'new' });
    one.lists.value = lists([a, other, c], [bad]);
    const after = catalog.tools.value;
    assert.equal(after[0], before[0]);
    assert.equal(after[1]?.tool, other);
    assert.equal(after[3], before[2]);
    assert.deepEqual(
      after.map(({ exposedName }) => exposedName),
      ['one_a', 'one_b', 'one_c', 'one_bad'],
    );
  });

  it('makes a new entry where a neighbour takes part of the name away', () => {
    const dotted = tool('a.b');
    const one = server('one', [dotted]);
    const catalog = createCatalog(signal([one]));
    assert.equal(catalog.tools.value[0]?.exposedName, 'one_a_b');
    one.lists.value = lists([dotted, tool('a_b')]);
    const [first, second] = catalog.tools.value;
    assert.match(first?.exposedName ?? '', /^one_a_b-[0-9a-f]{8}$/);
    assert.equal(second?.exposedName, 'one_a_b');
  });

  it('a change of resources leaves the tools alone', () => {
    const one = server('one', [tool('a')]);
    const catalog = createCatalog(signal([one]));
    let runs = 0;
    const stop = effect(() => {
      void catalog.tools.value;
      runs += 1;
    });
    one.lists.value = { ...one.lists.value, resources: list([{ uri: 'x:1', name: 'x' }]) };
    assert.equal(runs, 1);
    assert.equal(catalog.resources.value[0]?.item.uri, 'x:1');
    stop();
  });

  it('follows a server whose entry is replaced', () => {
    const servers = signal([server('one', [tool('a')])]);
    const catalog = createCatalog(servers);
    assert.equal(catalog.tools.value.length, 1);
    servers.value = [server('one', [tool('b')])];
    assert.equal(catalog.toolByRef({ server: 'one', name: 'a' }), undefined);
    assert.equal(catalog.toolByRef({ server: 'one', name: 'b' })?.exposedName, 'one_b');
  });

  it('lists what was set aside with its reason, and a good entry of that name stays the one that is found', () => {
    const one = server('one', []);
    one.lists.value = lists(
      [tool('a')],
      [
        { name: 'bad', problem: { code: 'X', message: 'no schema' }, raw: { name: 'bad', title: 'Bad', extra: 1 } },
        { name: 'a', problem: { code: 'X', message: 'twice' }, raw: null },
      ],
    );
    const catalog = createCatalog(signal([one]));
    const bad = catalog.toolByRef({ server: 'one', name: 'bad' });
    assert.equal(bad?.problem?.message, 'no schema');
    assert.deepEqual(bad?.tool, { extra: 1, name: 'bad', title: 'Bad', inputSchema: { type: 'object' } });
    assert.equal(catalog.toolByRef({ server: 'one', name: 'a' })?.problem, undefined);
  });

  it('fault 7: an unsupported dialect is one clear problem of its tool; fault 10: so is a reference out of the schema', () => {
    const schema = (more: object) => ({ inputSchema: { type: 'object', ...more } });
    const catalog = createCatalog(
      signal([
        server('s', [
          tool(
            'new',
            schema({ $schema: 'https://json-schema.org/draft/2020-12/schema', unevaluatedProperties: false }),
          ),
          tool('seven', schema({ $schema: 'http://json-schema.org/draft-07/schema#' })),
          tool('four', { outputSchema: { $schema: 'http://json-schema.org/draft-04/schema#', type: 'object' } }),
          tool('format', schema({ properties: { n: { type: 'integer', format: 'uint64' } } })),
          tool('http', schema({ properties: { c: { $ref: 'http://127.0.0.1:1/s.json' } } })),
          tool('file', schema({ properties: { c: { items: { $ref: 'file:///etc/hostname' } } } })),
          tool('named', schema({ properties: { $ref: { type: 'string' } }, default: { $ref: 'http://x/' } })),
          tool('placed', schema({ $id: 'http://127.0.0.1:1/x', properties: { c: { $ref: 'y.json' } } })),
          tool('placedBelow', schema({ $defs: { d: { $id: 'http://127.0.0.1:1/x', items: { $ref: 'y.json' } } } })),
          tool('loose', schema({ properties: { c: { $ref: 'Missing' } } })),
          tool(
            'ownFile',
            schema({
              $id: 'https://x.test/a/b',
              properties: { c: { $ref: 'c' }, d: { $ref: 'https://x.test/a/c#/x' }, e: { $ref: 'b#/properties/c' } },
              $defs: { c: { $id: 'c' } },
            }),
          ),
          tool('own', schema({ $id: 'https://x.test/a', properties: { c: { $ref: 'https://x.test/a#/$defs/c' } } })),
        ]),
      ]),
    );
    assert.deepEqual(
      catalog.tools.value.filter(({ problem }) => problem).map(({ ref }) => ref.name),
      ['four', 'http', 'file', 'placed', 'placedBelow'],
    );
    assert.match(catalog.toolByExposedName('s_four')?.problem?.message ?? '', /draft-04/);
  });

  it('takes 10,000 tools', () => {
    const tools = Array.from({ length: 10_000 }, (_, n) => tool(`tool_number_${n}`));
    const catalog = createCatalog(signal([server('big', tools)]));
    assert.equal(catalog.tools.value.length, 10_000);
    assert.equal(catalog.toolByExposedName('big_tool_number_9999')?.ref.name, 'tool_number_9999');
  });

  it('makes the tree of a server once for a list, and anew for another', async () => {
    const one = server('one', []);
    const resources = (...uris: string[]) => ({
      ...lists([]),
      resources: list(uris.map((uri) => ({ uri, name: uri }))),
    });
    one.lists.value = resources('x://a/b');
    const catalog = createCatalog(signal([one, server('two', [])]));
    const tree = await catalog.resourceTreeOf('one');
    assert.deepEqual(
      tree.children().map(({ id }) => id),
      ['folder:x://a'],
    );
    one.lists.value = { ...one.lists.value, tools: list([tool('t')]) };
    assert.equal(await catalog.resourceTreeOf('one'), tree);
    one.lists.value = resources('y://a/b');
    assert.deepEqual(
      (await catalog.resourceTreeOf('one')).children().map(({ id }) => id),
      ['folder:y://a'],
    );
    assert.deepEqual((await catalog.resourceTreeOf('two')).children(), []);
    assert.deepEqual((await catalog.resourceTreeOf('nobody')).children(), []);
  });

  it('fault 57: searches the resources of all servers, each under its own, and those that were set aside', async () => {
    const [one, two] = [server('one', []), server('two', [])];
    const config = { uri: 'config://main', name: 'Main' };
    const broken = { name: 'mainly', problem: { code: 'X', message: 'no URI' }, raw: { uri: 5, title: [] } };
    one.lists.value = { ...lists([]), resources: list([config]) };
    two.lists.value = { ...lists([]), resources: list([config], [broken]) };
    const catalog = createCatalog(signal([one, two]));
    const found = async (query: string, limit?: number) =>
      (await catalog.searchResources(query, limit)).map(({ server: id, item, problem }) => [
        id,
        item.uri,
        problem?.code,
      ]);
    assert.deepEqual(await found('main'), [
      ['one', 'config://main', undefined],
      ['two', 'config://main', undefined],
      ['two', 5, 'X'],
    ]);
    assert.deepEqual(await found('', 1), [['one', 'config://main', undefined]]);
    one.lists.value = lists([]);
    assert.deepEqual(await found('config'), [['two', 'config://main', undefined]]);
  });
});
