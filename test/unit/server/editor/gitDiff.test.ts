import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { EditorHarness, textOf } from './editorHarness';

/** One changed line of a file, as Git prints it. */
function part(
  name: string,
  line: string,
  header = `diff --git a/${name} b/${name}\nindex 1111111..2222222 100644`,
): string {
  return `${header}\n--- a/${name}\n+++ b/${name}\n@@ -1,2 +1,2 @@\n one\n-two\n+${line}\n`;
}

describe('the diff of what is not committed', () => {
  let harness: EditorHarness;
  let client: Client;

  beforeEach(async () => {
    harness = new EditorHarness();
    client = await harness.client();
  });
  afterEach(() => harness.dispose());

  async function diffOf(patch: string): Promise<readonly [diff: string, leftOut: number]> {
    harness.editor.patch = patch;
    const result = await harness.call(client, 'git_changes', { diff: true });
    assert.notEqual(result.isError, true, textOf(result));
    const { diff, leftOut } = result.structuredContent as { diff: string; leftOut: number };
    return [diff, leftOut];
  }

  it('gives the parts of allowed files to the letter, one after the other', async () => {
    const patch =
      part('a.ts', 'diff --git a/x b/x') +
      part('sub dir/b c.ts', '--- a/.env').replaceAll(/^(---|\+\+\+) .*$/gm, '$&\t') +
      'diff --git a/old.sh b/old.sh\nold mode 100644\nnew mode 100755\n' +
      'diff --git a/x.png b/x.png\nindex 1111111..2222222 100644\nBinary files a/x.png and b/x.png differ\n' +
      'diff --git a/n.ts b/n.ts\nnew file mode 100644\nindex 0000000..2222222\n--- /dev/null\n+++ b/n.ts\n@@ -0,0 +1 @@\n+x\n\\ No newline at end of file\n' +
      'diff --git a/g.ts b/g.ts\ndeleted file mode 100644\nindex 1111111..0000000\n--- a/g.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n';
    assert.deepEqual(await diffOf(patch), [patch, 0]);
    assert.deepEqual(await diffOf(''), ['', 0]);
  });

  it('leaves out the part of a conflict, whatever part it follows', async () => {
    const fine = part('a.ts', 'fine');
    for (const name of ['.env', 'b.ts']) {
      for (const kind of ['--cc', '--combined']) {
        const conflict = `diff ${kind} ${name}\nindex 1111111,2222222..0000000\n--- a/${name}\n+++ b/${name}\n@@@ -1,1 -1,1 +1,5 @@@\n++<<<<<<< HEAD\n +KEY=1\n`;
        assert.deepEqual(await diffOf(fine + conflict), [fine, 1]);
        assert.deepEqual(await diffOf(conflict + fine), [fine, 1]);
      }
    }
    assert.deepEqual(await diffOf(`* Unmerged path .env\n${fine}* Unmerged path b.ts\n`), [fine, 2]);
  });

  it('leaves out what it does not understand, rather than take it for text of the file before', async () => {
    const fine = part('a.ts', 'fine');
    const strange = [
      '+KEY=1\n',
      'KEY=1\n',
      '@@ -1 +1,2 @@\n+KEY=1\n',
      '@@@ -1 -1 +1 @@@\n++KEY=1\n',
      '\n KEY=1\n',
      '--- a/.env\n+++ b/.env\n@@ -1 +1 @@\n+KEY=1\n',
      'GIT binary patch\nliteral 5\nMcmZQzKEY=1\n',
    ];
    for (const more of strange) {
      assert.deepEqual(await diffOf(fine + more), ['', 1], more);
      assert.deepEqual(await diffOf(more + fine), [fine, 1], more);
    }
    const mixed = [
      part('a.ts', 'KEY=1').replace('+++ b/a.ts', '+++ b/.env'),
      part('a.ts', 'KEY=1').replace('b/a.ts\nindex', 'b/.env\nindex'),
      part('a.ts', 'KEY=1').replace('@@ -1,2 +1,2 @@', '@@ -1,9 +1,9 @@'),
      part('a.ts', 'KEY=1').replace('index 1', '\u001b[1mindex 1'),
      part('a.ts', 'KEY=1').replaceAll('diff --git', 'diff --no-index'),
    ];
    for (const patch of mixed) {
      assert.deepEqual(await diffOf(patch + fine), [fine, 1], patch);
    }
  });

  it('wants both names of what was renamed or copied to be allowed', async () => {
    const moved = (verb: string, from: string, to: string): string =>
      part('', 'KEY=2', `diff --git a/${from} b/${to}\nsimilarity index 60%\n${verb} from ${from}\n${verb} to ${to}`)
        .replace('--- a/', `--- a/${from}`)
        .replace('+++ b/', `+++ b/${to}`);
    for (const verb of ['rename', 'copy']) {
      assert.deepEqual(await diffOf(moved(verb, '.env', 'env.example')), ['', 1]);
      assert.deepEqual(await diffOf(moved(verb, 'env.example', '.env')), ['', 1]);
      assert.deepEqual(await diffOf(moved(verb, 'a b/c d.ts', 'a b/c e.ts')), [
        moved(verb, 'a b/c d.ts', 'a b/c e.ts'),
        0,
      ]);
      assert.deepEqual(await diffOf(moved(verb, '.env', 'a.ts').replace(`${verb} from .env\n`, '')), ['', 1]);
      assert.deepEqual(await diffOf(moved(verb, 'b.ts', 'a.ts').replace('--- a/b.ts', '--- a/.env')), ['', 1]);
    }
  });

  it('resolves names from the root of the repository, and gives nothing of what lies outside the workspace', async () => {
    const { editor } = harness;
    editor.repository = editor.root;
    editor.write('a.ts', '');
    const inside = part('ws/a.ts', 'fine');
    // The names end as one that is inside.
    assert.deepEqual(await diffOf(inside + part('other/ws/a.ts', 'KEY=1') + part('a.ts', 'KEY=1')), [inside, 2]);
  });

  it('gives nothing of a file that a link leads out of the workspace, or to a secret', async () => {
    const { editor } = harness;
    editor.write('.env', 'KEY=1');
    mkdirSync(join(editor.root, 'outside'));
    writeFileSync(join(editor.root, 'outside/x.ts'), '');
    symlinkSync('.env', editor.path('plain.txt'));
    symlinkSync('../outside', editor.path('out'));
    const fine = part('a.ts', 'fine');
    assert.deepEqual(await diffOf(part('plain.txt', 'KEY=1') + fine + part('out/x.ts', 'KEY=1')), [fine, 2]);
    editor.changed = ['plain.txt', 'out/x.ts', 'a.ts'].map((name) => ({
      uri: editor.uri(name),
      status: 'modified',
      isStaged: false,
    }));
    const { changes } = (await harness.call(client, 'git_changes')).structuredContent as {
      changes: { file: string }[];
    };
    assert.deepEqual(
      changes.map(({ file }) => file),
      ['a.ts'],
    );
  });

  it('reads names that Git quotes, and those without prefixes', async () => {
    const quoted = (name: string): string =>
      part('x', 'fine', `diff --git "a/${name}" "b/${name}"`)
        .replace('--- a/x', `--- "a/${name}"`)
        .replace('+++ b/x', `+++ "b/${name}"`);
    const fine = quoted('na\\303\\257ve\\t\\"\\\\.md');
    assert.deepEqual(await diffOf(fine), [fine, 0]);
    assert.deepEqual(await diffOf(quoted('\\056env') + quoted('.env\\n') + quoted('\\303.md')), ['', 3]);
    const bare = (name: string): string =>
      part('', 'fine', `diff --git ${name} ${name}`).replace('--- a/', `--- ${name}`).replace('+++ b/', `+++ ${name}`);
    assert.deepEqual(await diffOf(bare('a/b.ts') + bare('.env') + bare('a/.env')), [bare('a/b.ts'), 2]);
    const mnemonic = part('a.ts', 'fine').replaceAll('a/', 'i/').replaceAll('b/', 'w/');
    assert.deepEqual(await diffOf(mnemonic), [mnemonic, 0]);
  });
});
