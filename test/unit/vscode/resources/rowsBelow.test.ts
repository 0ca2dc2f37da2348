import { deepEqual, equal } from 'node:assert/strict';
import { signal } from '@preact/signals-core';
import type { Resource } from '@modelcontextprotocol/client';
import { makeTree } from '../../../../src/core/catalog/resources/resourceTree';
import type { ServerView } from '../../../../src/core/hubTypes';
import { KnownResources } from '../../../../src/vscode/interop/knownResources';
import { type Node, nodeIds, ranges } from '../../../../src/vscode/resources/nodes';
import { rowsBelow } from '../../../../src/vscode/resources/rowsBelow';

const named = (uri: string): Resource => ({ uri, name: uri });
const list = <T>(items: readonly T[], setAside: readonly unknown[] = []) => ({ from: 'server', items, setAside });

function server(resources: readonly Resource[], templates: readonly unknown[] = [], setAside: readonly unknown[] = []) {
  const lists = { resources: list(resources, setAside), templates: list(templates) };
  const view = { id: 's', lists: signal(lists) } as unknown as ServerView;
  const known = new KnownResources();
  const tree = makeTree(resources);
  const root: Node = { kind: 'server', id: nodeIds.server('s'), server: 's', view };
  const below = async (node: Node, flat = false) =>
    (await rowsBelow(node, flat, () => tree, known)).map((row) => row.node);
  return { root, below, known };
}

const ids = (nodes: readonly Node[]) => nodes.map(({ id }) => id);

describe('rows below a row of the Resources view', () => {
  const uris = ['demo://a/x/1.md', 'demo://a/y/2.md', 'demo://a/y/3.md'];

  it('are folders, resources, templates, and what cannot be used', async () => {
    const { root, below } = server(uris.map(named), [{ name: 't', uriTemplate: 'demo://{t}' }], [{ name: 'odd' }]);
    const top = await below(root);
    deepEqual(
      top.map(({ kind }) => kind),
      ['folder', 'templates', 'setAside'],
    );
    const [folder, templates] = top;
    deepEqual(folder && (await below(folder)).map(({ kind }) => kind), ['folder', 'folder']);
    deepEqual(templates && ids(await below(templates)), ['template:s:demo://{t}']);
  });

  it('have the same ids whatever else the list holds', async () => {
    const few = server(uris.map(named));
    const before = await few.below(few.root, true);
    const more = server([...uris, 'demo://a/y/0.md'].map(named));
    const after = await more.below(more.root, true);
    deepEqual(ids(after).slice(0, 3), ids(before));
  });

  it('of a flat list are in the order of the server, in stretches where they are many', async () => {
    const few = server(['demo://b', 'demo://a'].map(named));
    deepEqual(ids(await few.below(few.root, true)), ['resource:s:demo://b', 'resource:s:demo://a']);
    const many = server(Array.from({ length: 1_001 }, (_, index) => named(`demo://a/${index}`)));
    const stretches = await many.below(many.root, true);
    deepEqual(ids(stretches), ['range:s:0', 'range:s:1000']);
    const last = stretches[1];
    deepEqual(last && ids(await many.below(last, true)), ['resource:s:demo://a/1000']);
  });

  it('of a resource are the parts of its last read, where it had several', async () => {
    const { root, below, known } = server([named('demo://a')]);
    const [resource] = await below(root, true);
    const part = { uri: 'demo://a', text: true, size: 1 };
    known.add({ server: 's', uri: 'demo://a' }, { parts: [part] });
    deepEqual(resource && ids(await below(resource)), []);
    known.add({ server: 's', uri: 'demo://a' }, { parts: [part, part] });
    deepEqual(resource && ids(await below(resource)), ['part:s:0:demo://a', 'part:s:1:demo://a']);
  });

  it('of ranges cover a list without gaps', () => {
    deepEqual(ranges(5, 2), [
      { first: 0, last: 1 },
      { first: 2, last: 3 },
      { first: 4, last: 4 },
    ]);
    equal(ranges(0, 2).length, 0);
  });
});

describe('KnownResources', () => {
  it('counts what was updated since a time, of one server', () => {
    const known = new KnownResources();
    known.add({ server: 's', uri: 'a' }, { updatedAt: 10 });
    known.add({ server: 's', uri: 'b' }, { updatedAt: 20 });
    known.add({ server: 's', uri: 'c' }, { parts: [] });
    known.add({ server: 's2', uri: 'a' }, { updatedAt: 20 });
    equal(known.updatedSince('s', 10), 2);
    equal(known.updatedSince('s', 11), 1);
    equal(known.updatedSince('"', 0), 0);
  });
});
