import assert from 'node:assert/strict';
import { chatLabels, chatNames } from '../../../../src/core/catalog/names/chatNames';
import { exposedNames, mayExpose, nameContexts } from '../../../../src/core/catalog/names/exposedNames';

interface Case {
  readonly id: string;
  readonly key: string;
  readonly tools: readonly string[];
}

/** Every exposed name as `id tool` → name. */
function expose(servers: readonly Case[]): Map<string, string> {
  const contexts = nameContexts(servers);
  const result = new Map<string, string>();
  for (const server of servers) {
    const context = contexts.get(server.id);
    assert.ok(context);
    for (const [name, exposed] of exposedNames(server, server.tools, context)) {
      assert.ok(mayExpose(server.key, exposed));
      result.set(`${server.id} ${name}`, exposed);
    }
  }
  return result;
}

function permutations<T>(items: readonly T[]): T[][] {
  return items.length < 2
    ? [[...items]]
    : items.flatMap((item, at) => permutations(items.toSpliced(at, 1)).map((rest) => [item, ...rest]));
}

const one = (key: string, ...tools: string[]): Case => ({ id: key, key, tools });

describe('exposed names', () => {
  it('fault 1: names that MCP allows become names that models take, distinct, whatever the order', () => {
    const tools = ['calendar.get', 'assets/list', 'New Tool', 'données', 'a.b', 'a_b'];
    const expected = expose([one('s', ...tools)]);
    assert.equal(expected.get('s calendar.get'), 's_calendar_get');
    assert.equal(expected.get('s a_b'), 's_a_b');
    assert.match(expected.get('s a.b') ?? '', /^s_a_b-[0-9a-f]{8}$/);
    for (const order of permutations(tools)) {
      assert.deepEqual(new Map([...expose([one('s', ...order)])].sort()), new Map([...expected].sort()));
    }
  });

  it('are distinct over all servers without regard to case, at most 48 characters, and the same in any order of servers', () => {
    const servers = [
      one('a', 'b_c', 'B_C', 'x'.repeat(128), `${'x'.repeat(127)}y`),
      one('a_b', 'c', 'C', ''),
      one('A', 'x', 'b_c'),
      one('a.b', 'c'),
      one('k'.repeat(60), 'read', 'READ', 'read-12345678'),
      { id: 'a@user', key: 'a', tools: ['x', 'b_c'] },
    ];
    const expected = expose(servers);
    const names = [...expected.values()];
    assert.equal(new Set(names.map((name) => name.toLowerCase())).size, names.length);
    names.forEach((name) => assert.match(name, /^[A-Za-z0-9_-]{1,48}$/));
    assert.equal(expected.get('a_b c'), 'a_b_c');
    for (const order of permutations(servers)) {
      assert.deepEqual(new Map([...expose(order)].sort()), new Map([...expected].sort()));
    }
  });

  it('cuts a long key before it cuts the tool', () => {
    const name =
      expose([one('k'.repeat(60), 'read_text_file')])
        .values()
        .next().value ?? '';
    assert.match(name, /^k+_read_text_file-[0-9a-f]{8}$/);
    assert.equal(name.length, 48);
  });

  it('are looked for only where they can be', () => {
    assert.ok(mayExpose('github', 'github_create_issue'));
    assert.ok(!mayExpose('github', 'gitlab_create_issue'));
    assert.ok(mayExpose('a.b', 'a_b_c'));
  });

  it('fault 2: one key from two sources keeps both sets apart; the bare key keeps the plain names', () => {
    const names = expose([one('srv', 'search'), { id: 'srv@user', key: 'srv', tools: ['search'] }]);
    assert.equal(names.get('srv search'), 'srv_search');
    assert.match(names.get('srv@user search') ?? '', /^srv_search-[0-9a-f]{8}$/);
  });

  it('a name that looks as if it had a hash cannot take the place of one that has', () => {
    const first = expose([one('s', 'a.b', 'a_b')]).get('s a.b') ?? '';
    const names = expose([one('s', 'a.b', 'a_b', first.slice('s_'.length))]);
    assert.equal(new Set(names.values()).size, 3);
    assert.equal(names.get('s a.b'), first);
  });
});

describe('names in the editor’s chat', () => {
  it('stay as the server has them where they fit and are distinct after the editor’s mangling', () => {
    const long = 'n'.repeat(47);
    const names = chatNames(['ro.Get/It', 'a.b', 'a_b', 'New Tool', long]);
    assert.equal(names.get('ro.Get/It'), 'ro.Get/It');
    assert.equal(names.get('a_b'), 'a_b');
    assert.match(names.get('a.b') ?? '', /^a\.b-[0-9a-f]{8}$/);
    assert.equal(names.get('New Tool'), 'New_Tool');
    assert.equal(names.get(long)?.length, 46);
  });

  it('labels are the key where its first 13 characters are its own, and distinct in them otherwise', () => {
    const keys = ['files', 'secure-filesystem-a', 'secure-filesystem-b', 'Files', 'a.b', 'a-b', 'long-but-alone-here'];
    const expected = chatLabels(keys);
    assert.equal(expected.get('files'), 'files');
    assert.equal(expected.get('long-but-alone-here'), 'long-but-alone-here');
    const titles = [...expected.values()].map((label) =>
      label
        .toLowerCase()
        .replace(/[^a-z0-9]/g, '_')
        .slice(0, 13),
    );
    assert.equal(new Set(titles).size, keys.length);
    assert.deepEqual(chatLabels(keys.toReversed()), expected);
  });
});
