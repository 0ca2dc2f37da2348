import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import type { Resource } from '@modelcontextprotocol/client';
import { TimeSlices } from '../../../../../src/base/timeSlices';
import type { ResourceNode, ResourceTree } from '../../../../../src/core/catalog/catalogTypes';
import { Level, MAX_ROWS } from '../../../../../src/core/catalog/resources/level';
import { makeTree } from '../../../../../src/core/catalog/resources/resourceTree';

const resource = (uri: string, more: Partial<Resource> = {}): Resource => ({ uri, name: 'a name', ...more });
const treeOf = (...uris: string[]): Promise<ResourceTree> => makeTree(uris.map((uri) => resource(uri)));

/** Every row below a folder, with its depth; each row's parent is the one that it was reached by. */
function* rowsBelow(tree: ResourceTree, parent?: ResourceNode, depth = 0): Generator<[ResourceNode, number]> {
  for (const node of tree.children(parent?.id)) {
    assert.deepEqual(tree.parentOf(node.id), parent);
    yield [node, depth];
    if (node.kind === 'folder') {
      yield* rowsBelow(tree, node, depth + 1);
    }
  }
}

function outline(tree: ResourceTree): readonly string[] {
  return Array.from(rowsBelow(tree), ([node, depth]) => {
    const more = node.kind === 'folder' ? ` [${node.role} ${node.count}]` : '';
    return `${'  '.repeat(depth)}${node.label}${more}`;
  });
}

describe('resource tree', () => {
  const shapes: [string, string[], string[]][] = [
    ['is empty without resources', [], []],
    [
      'makes folders of segments, and one of a single chain',
      ['x://h/docs/guide/a.md', 'x://h/docs/guide/b.md', 'x://h/src/c.ts'],
      ['x://h [origin 3]', '  docs/guide [segment 2]', '    a.md', '    b.md', '  src [segment 1]', '    c.ts'],
    ],
    [
      'puts the single chain below an origin into its row',
      ['demo://resource/static/document/a.md', 'demo://resource/static/document/b.md'],
      ['demo://resource/static/document [origin 2]', '  a.md', '  b.md'],
    ],
    [
      'puts a resource beside the folder of its URI',
      ['x://h/a/b', 'x://h/a', 'x://h/c'],
      ['x://h [origin 3]', '  a [segment 1]', '    b', '  a', '  c'],
    ],
    [
      'shows a URI without a path by its name',
      ['config://main', 'x:', 'y://h/', 'z://h?q=1'],
      Array(4).fill('a name') as string[],
    ],
    [
      'fault 56: takes URIs as opaque texts',
      ['foo:///bar/baz.txt', 'urn:x:1', 'KB://Docs/A b', 'kb://Docs/A b', 'x://h/%7Euser/a', 'HTTP://EX.com/a'],
      [
        ...['foo:///bar [origin 1]', '  baz.txt', 'HTTP://EX.com [origin 1]', '  a', 'kb://Docs [origin 1]', '  A b'],
        ...['KB://Docs [origin 1]', '  A b', 'urn: [origin 1]', '  x:1', 'x://h/~user [origin 1]', '  a'],
      ].sort(),
    ],
    [
      'takes addresses without authority',
      ['mailto:a@b', 'file:/etc/hosts'],
      ['file:/etc [origin 1]', '  hosts', 'mailto: [origin 1]', '  a@b'],
    ],
    [
      'takes paths without a scheme',
      ['docs/a', '/docs/a', 'b'],
      ['/docs [segment 1]', '  a', 'docs [segment 1]', '  a', 'b'],
    ],
    [
      'leaves query and fragment with the last segment',
      ['x://h/d/a?path=b/c', 'x://h/d/a#/e/f', 'x://h/d/?q'],
      ['x://h [origin 3]', '  d [segment 2]', '    a#/e/f', '    a?path=b/c', '  d/?q'],
    ],
    [
      'leaves the last slash with the last segment',
      ['x://h/d/', 'x://h/d/e'],
      ['x://h [origin 2]', '  d [segment 1]', '    e', '  d/'],
    ],
    [
      'keeps dots and empty segments as they are',
      ['x://h/a/../b', 'x://h/a//b', 'x://h/a/./b', 'x://h//b'],
      [
        ...['x://h [origin 4]', '  / [segment 1]', '    b', '  a [segment 3]', '    . [segment 1]', '      b'],
        ...['    .. [segment 1]', '      b', '    / [segment 1]', '      b'],
      ],
    ],
    [
      'decodes what is UTF-8, but no slash',
      ['x://h/%C3%A9/a%20b', 'x://h/%FF%20/%', 'x://h/a%2Fb/c'],
      [
        'x://h [origin 3]',
        '  %FF%20 [segment 1]',
        '    %',
        '  a%2Fb [segment 1]',
        '    c',
        '  é [segment 1]',
        '    a b',
      ],
    ],
    [
      'orders rows as people count',
      ['x://h/10', 'x://h/9.txt', 'x://h/b', 'x://h/A', 'x://h/é', 'x://h/f', 'x://h/009'],
      ['x://h [origin 7]', '  009', '  9.txt', '  10', '  A', '  b', '  é', '  f'],
    ],
  ];
  for (const [what, uris, expected] of shapes) {
    it(what, async () => {
      const lines = outline(await treeOf(...uris));
      assert.deepEqual(what.startsWith('fault 56') ? lines.toSorted() : lines, expected);
    });
  }

  it('shows the title where there is one', async () => {
    const tree = await makeTree([resource('x://h/a', { title: 'Über' }), resource('x://h/b', { title: '  ' })]);
    assert.deepEqual(outline(tree), ['x://h [origin 2]', '  b', '  Über']);
  });

  it('fault 57: counts a URI that is listed twice once, by its first entry', async () => {
    const tree = await makeTree([resource('x://h/a', { title: 'first' }), resource('x://h/a', { title: 'second' })]);
    assert.deepEqual(outline(tree), ['x://h [origin 1]', '  first']);
  });

  it('finds the row of a resource by its URI, byte for byte', async () => {
    const tree = await treeOf('x://h/A b', 'x://h/a%20b');
    const node = tree.nodeOf('x://h/A b');
    assert.deepEqual(node, {
      kind: 'resource',
      id: 'resource:x://h/A b',
      label: 'A b',
      resource: resource('x://h/A b'),
    });
    assert.equal(tree.nodeOf('x://h/a b'), undefined);
  });

  it('keeps ids while the list changes, and has nothing for what is gone', async () => {
    const before = await treeOf('x://h/a/b/1', 'x://h/a/b/2', 'x://h/c/3');
    const after = await treeOf('x://h/a/b/1', 'x://h/a/d', 'x://h/c/3', 'x://h/e');
    const ids = (tree: ResourceTree): string[] => Array.from(rowsBelow(tree), ([{ id }]) => id);
    const gone = ids(before).filter((id) => !ids(after).includes(id));
    assert.deepEqual(gone, ['resource:x://h/a/b/2']);
    const shrunk = await treeOf('x://h/a/b/1');
    for (const id of [
      'folder:x://h',
      'folder:x://h/c',
      'resource:x://h/c/3',
      'range:0:x://h',
      'range:9:',
      'nonsense',
      '',
    ]) {
      assert.deepEqual([shrunk.children(id), shrunk.parentOf(id)], [[], undefined], id);
    }
    assert.deepEqual(shrunk.children('resource:x://h/a/b/1'), []);
  });

  it('is not fooled by fields that a server adds', async () => {
    const odd = { ...resource('x://h/a'), folders: [], prefix: 'y', chainEnd: 1, count: 7 };
    assert.deepEqual(outline(await makeTree([odd])), ['x://h [origin 1]', '  a']);
  });

  it('bounds depth and labels, whatever a URI holds', async () => {
    const deep = `x://h${'/a'.repeat(5_000)}`;
    const long = `y://h/${'b'.repeat(10_000)}`;
    const branches = Array.from({ length: 60 }, (_, depth) => `z://h${'/s'.repeat(depth)}/leaf`);
    const rows = [...rowsBelow(await treeOf(deep, long, `data:text/plain,${'c/'.repeat(100_000)}`, ...branches))];
    assert.equal(rows.filter(([{ kind }]) => kind === 'resource').length, 63);
    assert.ok(Math.max(...rows.map(([, depth]) => depth)) <= 25);
    assert.ok(Math.max(...rows.map(([{ label }]) => label.length)) <= 500);
  });
});

describe('resource tree of 100,000', () => {
  const many = 100_000;
  const shapes: [string, (index: number) => string][] = [
    ['in one folder', (index) => `db://table/row-${(index * 7_919) % many}`],
    ['in folders of their own', (index) => `db://table/${(index * 7_919) % many}/row`],
    ['in a hundred folders', (index) => `db://table/${index % 100}/row-${index}`],
    ['at the top', (index) => `row-${(index * 7_919) % many}`],
    ['of one title', (index) => `db://table/row-${index}?`],
  ];
  for (const [what, uriOf] of shapes) {
    it(`${what}: no level is longer than a thousand, and every row is reached once, in order`, async function () {
      this.timeout(60_000);
      const title = what === 'of one title' ? { title: 'Same' } : {};
      const list = Array.from({ length: many }, (_, index) => resource(uriOf(index), title));
      let turns = 0;
      let building = true;
      const others = (async () => {
        for (; building; turns += 1) {
          await setImmediate();
        }
      })();
      const tree = await makeTree(list);
      building = false;
      await others;
      assert.ok(turns > 3, `others had ${turns} turns`);

      const seen = new Set<string>();
      const open = (parent?: ResourceNode): number => {
        const level = tree.children(parent?.id);
        assert.ok(level.length > 0 && level.length <= MAX_ROWS);
        let count = 0;
        for (const node of level) {
          count += node.kind === 'resource' ? 1 : node.count;
          if (node.kind === 'folder') {
            assert.equal(open(node), node.count);
          } else {
            assert.ok(!seen.has(node.resource.uri));
            seen.add(node.resource.uri);
          }
        }
        // For some of each level, or it takes long.
        for (const node of [level[0], level[level.length >> 1], level.at(-1)]) {
          assert.deepEqual(node && tree.parentOf(node.id), parent);
        }
        return count;
      };
      assert.equal(open(), many);
      assert.equal(seen.size, many);
      assert.deepEqual(tree.nodeOf(uriOf(5))?.kind, 'resource');
    });
  }

  it('says by its ranges what they hold', async () => {
    const list = Array.from({ length: 2_500 }, (_, index) => resource(`db://table/${'x'.repeat(50)}${index}`));
    const [origin] = (await makeTree([...list, resource('db://table/A/b'), resource('db://table/A/c')])).children();
    assert.deepEqual(origin?.kind === 'folder' && [origin.label, origin.count], ['db://table', 2_502]);
    const tree = await makeTree([...list, resource('db://table/A/b'), resource('db://table/A/c')]);
    const end = `${'x'.repeat(39)}…`;
    assert.deepEqual(
      tree.children(origin?.id).map((node) => node.kind === 'folder' && [node.id, node.role, node.label, node.count]),
      [
        ['range:0:db://table', 'range', `A … ${end}`, 1_001],
        ['range:1:db://table', 'range', `${end} … ${end}`, 1_000],
        ['range:2:db://table', 'range', `${end} … ${end}`, 501],
      ],
    );
  });

  it('nests ranges where a thousand of them are too few', () => {
    const level = new Level(Array<Resource>(2_000_500).fill(resource('x')));
    const outer = level.ranges(level.stretch([]) ?? assert.fail());
    assert.deepEqual(
      outer.map((range) => [level.count(range), range.path]),
      [
        [1_000_000, [0]],
        [1_000_000, [1]],
        [500, [2]],
      ],
    );
    const inner = level.ranges(outer[1] ?? assert.fail());
    assert.deepEqual([inner.length, inner[999]], [1_000, { from: 1_999_000, to: 2_000_000, path: [1, 999] }]);
    assert.deepEqual(level.ranges(inner[999] ?? assert.fail()), []);
    assert.equal(level.stretch([1, 1_000]), undefined);
  });

  it('lets others have their turn at every step', async () => {
    let time = 0;
    let read = 0;
    let most = 0;
    // Every look at the clock takes a millisecond, so a slice has a dozen steps; each of them reads a few URIs.
    const slices = new TimeSlices(
      () => (time += 1),
      async () => {
        most = Math.max(most, read);
        read = 0;
      },
    );
    const list = Array.from({ length: 5_000 }, (_, index) => ({
      name: '',
      get uri() {
        read += 1;
        return `x://h/${index}`;
      },
    }));
    await makeTree(list, slices);
    assert.ok(most > 0 && most <= 100, `${most} reads in one slice`);
    assert.ok(read <= 100);
  });
});
