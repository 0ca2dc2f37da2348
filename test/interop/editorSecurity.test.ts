import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { newToken } from '../../src/server/clientTokens';
import { initialize, rpc } from '../unit/server/gatewayHarness';
import { send } from '../unit/server/socketFetch';
import type { EditorAgent } from './editorServer/editorAgent';
import { EditorWindow, unsavedText } from './editorServer/editorWindow';
import { rawBridge, rawHttp } from './editorServer/rawAgents';

const SECRET = 'what nobody may read';
const limits = { bodyBytes: 300_000, headersMs: 1_500, requestMs: 1_500, checkMs: 100 };

const overHttp = (window: EditorWindow): Promise<EditorAgent> => rawHttp('session', window, 'port');

/** The ways to a window. */
const ways: Readonly<Record<string, (window: EditorWindow) => Promise<EditorAgent>>> = {
  'HTTP, 2025-11-25': overHttp,
  'HTTP, 2026-07-28': (window) => rawHttp('stateless', window, 'port'),
  'the bridge, 2025-11-25': (window) => rawBridge('session', window),
  'the bridge, 2026-07-28': (window) => rawBridge('stateless', window),
};

describe('security of the editor server', () => {
  let window: EditorWindow;

  before(async () => {
    window = await EditorWindow.open({ limits });
    const { editor } = window;
    const outside = (name: string): string => {
      const path = join(editor.root, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, SECRET);
      return path;
    };
    outside('secret.txt');
    outside('ws-secret/x.ts');
    outside('outside/x.ts');
    editor.write('.env', SECRET);
    editor.write('conf/.env.local', SECRET);
    symlinkSync(join(editor.root, 'secret.txt'), editor.path('linked.ts'));
    symlinkSync(join(editor.root, 'outside'), editor.path('out'));
    symlinkSync(join(editor.root, 'outside/new.ts'), editor.path('dead.ts'));
    symlinkSync(editor.path('.env'), editor.path('harmless.txt'));
  });
  after(() => window.close());

  const post = (headers: Record<string, string | undefined>, path = '/editor', method = 'POST') => {
    const all = {
      host: window.url.host,
      authorization: window.authorization,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    };
    return send(
      { kind: 'tcp', host: '127.0.0.1', port: Number(window.url.port) },
      {
        method,
        path,
        headers: Object.fromEntries(
          Object.entries(all).filter((each): each is [string, string] => each[1] !== undefined),
        ),
        ...(method === 'POST' ? { body: JSON.stringify(initialize('2025-11-25')) } : {}),
      },
    );
  };

  it('rebinding: a foreign Host is refused, with every method and path', async () => {
    const { port } = window.url;
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      `localhost.evil.example:${port}`,
      '127.0.0.1',
      `[::2]:${port}`,
    ]) {
      for (const method of ['POST', 'GET', 'DELETE', 'OPTIONS']) {
        for (const path of ['/editor', '/gateway', '/']) {
          assert.equal((await post({ host }, path, method)).status, 403, `${method} ${path} ${host}`);
        }
      }
    }
    assert.equal(window.endpoint.sessionCount, 0);
  });

  it('a foreign Origin is refused, and no answer lets a page read it', async () => {
    const { port } = window.url;
    const origins = [
      'https://evil.example',
      `http://evil.example:${port}`,
      'null',
      'file://',
      'vscode-webview://x',
      '',
    ];
    for (const origin of origins) {
      for (const method of ['POST', 'OPTIONS']) {
        const { status, headers } = await post({ origin }, '/editor', method);
        assert.equal(status, 403, `${method} ${origin}`);
        assert.deepEqual(
          Object.keys(headers).filter((name) => name.startsWith('access-control')),
          [],
        );
      }
    }
    const own = await post({ origin: window.url.origin });
    assert.equal(own.status, 200);
    assert.deepEqual(
      Object.keys(own.headers).filter((name) => name.startsWith('access-control')),
      [],
    );
  });

  it('a missing, short, long, old or foreign token is refused, and one in the URL is none', async () => {
    const { token, tokens } = window;
    const old = newToken();
    tokens.add({ id: 'old', label: 'Old' }, old);
    assert.equal((await post({ authorization: `Bearer ${old}` })).status, 200);
    tokens.add({ id: 'old', label: 'Old' }, newToken());
    for (const given of [
      old,
      token.slice(0, -1),
      token.slice(0, 8),
      `${token}x`,
      newToken(),
      token.toLowerCase(),
      '',
    ]) {
      const answer = await post({ authorization: `Bearer ${given}` });
      assert.deepEqual([answer.status, answer.text.includes(token)], [401, false], given);
    }
    for (const authorization of [undefined, token, `Basic ${token}`, `Bearer ${token} ${token}`]) {
      assert.equal((await post({ authorization })).status, 401, authorization);
    }
    for (const path of [`/editor?token=${token}`, `/editor?access_token=${token}`, `/editor/${token}`]) {
      assert.equal((await post({ authorization: undefined }, path)).status, 401, path);
    }
    tokens.revoke('old');
  });

  it('a body that is too large or too deep is refused, and the next one is answered', async () => {
    const agent = await rawHttp('session', window, 'port');
    const read = (file: string) => agent.request('tools/call', { name: 'read_file', arguments: { file } });
    const large = await send(
      { kind: 'tcp', host: '127.0.0.1', port: Number(window.url.port) },
      {
        path: '/editor',
        headers: { host: window.url.host, authorization: window.authorization, 'content-type': 'application/json' },
        body: JSON.stringify(rpc('tools/call', { name: 'read_file', arguments: { file: 'x'.repeat(400_000) } })),
      },
    );
    assert.equal(large.status, 413);
    const deep = JSON.parse(`${'['.repeat(1_000)}${']'.repeat(1_000)}`) as unknown;
    await assert.rejects(agent.request('tools/call', { name: 'read_file', arguments: { file: deep } }), {
      code: -32_600,
    });
    await assert.rejects(read('x'.repeat(100_000)).then(failed), /must NOT have more than 12388 characters/);
    assert.equal((await read('src/a.ts'))['isError'], undefined);
    await agent.close();
  });

  it('the bridge too answers what is too large or too deep, and goes on', async () => {
    for (const era of ['session', 'stateless'] as const) {
      const agent = await rawBridge(era, window);
      const read = (file: unknown) => agent.request('tools/call', { name: 'read_file', arguments: { file } });
      await assert.rejects(read('x'.repeat(400_000)), /larger than|413/);
      await assert.rejects(read(JSON.parse(`${'['.repeat(1_000)}${']'.repeat(1_000)}`)), { code: -32_600 });
      assert.equal((await read('src/a.ts'))['isError'], undefined);
      await agent.close();
    }
  });

  it('slow headers and bodies end in time', async () => {
    const head = `POST /editor HTTP/1.1\r\nHost: ${window.url.host}\r\nAuthorization: ${window.authorization}\r\n`;
    for (const begun of [head, `${head}Content-Type: application/json\r\nContent-Length: 500\r\n\r\n{`]) {
      const socket = connect(Number(window.url.port), '127.0.0.1');
      await once(socket, 'connect');
      socket.write(begun);
      const [chunk] = (await once(socket, 'data')) as [Buffer];
      assert.match(chunk.toString(), /^HTTP\/1\.1 408/);
      socket.destroy();
    }
  });

  it('beside 1,000 connections that say nothing it answers as before', async () => {
    const idle = await Promise.all(
      Array.from({ length: 1_000 }, async () => {
        const socket = connect(Number(window.url.port), '127.0.0.1');
        await once(socket, 'connect');
        return socket;
      }),
    );
    const agent = await rawHttp('session', window, 'port');
    const read = await agent.request('resources/read', { uri: window.editor.uri('src/a.ts') });
    assert.equal((read['contents'] as { text: string }[])[0]?.text, unsavedText);
    await agent.close();
    idle.forEach((socket) => socket.destroy());
  });

  it('50 clients at once get each its own answers, none lost or mixed', async () => {
    // Each bridge is a process: six of them, and the others over HTTP.
    const open = Object.values(ways);
    const agents = await Promise.all(
      Array.from({ length: 50 }, (_, index) => (open[index % (index < 12 ? 4 : 2)] ?? overHttp)(window)),
    );
    const answers = await Promise.all(
      agents.flatMap((agent, client) =>
        Array.from({ length: 9 }, async (_, call) => {
          const file = `lib/file${client * 9 + call}.ts`;
          const result = await agent.request('tools/call', { name: 'read_file', arguments: { file } });
          return [file, (result['structuredContent'] as { file: string; text: string }).text] as const;
        }),
      ),
    );
    assert.equal(answers.length, 450);
    for (const [index, [, text]] of answers.entries()) {
      assert.equal(text, `export const value${index} = ${index};\n`);
    }
    await Promise.all(agents.map((agent) => agent.close()));
  });

  /** Names that lead out of the workspace, or to what is secret in it. */
  function escapes(): Readonly<Record<string, readonly string[]>> {
    const { root } = window.editor;
    const ws = `file://${root}/ws`;
    return {
      'by “..”': [
        '../secret.txt',
        'src/../../secret.txt',
        `${ws}/../secret.txt`,
        '..\\secret.txt',
        './../ws-secret/x.ts',
      ],
      encoded: [
        `${ws}/%2e%2e/secret.txt`,
        `${ws}/..%2fsecret.txt`,
        `${ws}/%2E%2E%2Fsecret.txt`,
        '%2e%2e/secret.txt',
        `${ws}/%252e%252e/secret.txt`,
        `${ws}/src/a.ts%00.png`,
      ],
      absolute: [
        join(root, 'secret.txt'),
        `file://${root}/secret.txt`,
        '/etc/passwd',
        'file:///etc/passwd',
        'C:\\Windows\\win.ini',
        'file:///c:/Windows/win.ini',
      ],
      'of another machine': [
        '\\\\host\\share\\x',
        '//host/share/x',
        'file://host/ws/x',
        `file://evil${root}/ws/src/a.ts`,
      ],
      'a folder beside': [join(root, 'ws-secret/x.ts'), `${ws}-secret/x.ts`],
      'a linked file': ['linked.ts', `${ws}/linked.ts`, 'dead.ts'],
      'below a linked folder': ['out/x.ts', `${ws}/out/x.ts`, 'out/new.ts', 'out'],
      secret: [
        '.env',
        '.ENV',
        `${ws}/.env`,
        `${ws}/%2eenv`,
        'conf/.env.local',
        'src/../.env',
        'harmless.txt',
        'none/.env',
      ],
      ...(process.platform === 'linux' ? { 'in another case': [`file://${root}/WS/src/a.ts`, 'SRC/A.TS'] } : {}),
    };
  }

  for (const [way, open] of Object.entries(ways)) {
    it(`no path leads out of the workspace or to a secret: ${way}`, async () => {
      const agent = await open(window);
      const { editor } = window;
      const calls = (name: string): readonly (readonly [string, Record<string, unknown>])[] => [
        ['read_file', { file: name }],
        ['get_diagnostics', { files: [name], timeoutMs: 0 }],
        ['document_symbols', { file: name }],
        ['list_files', { directory: name }],
        ['search_text', { query: SECRET, directory: name }],
        ['open_file', { file: name }],
        ['apply_edit', { file: name, edits: [{ find: SECRET, text: 'x' }] }],
        ['show_diff', { file: name, text: 'x' }],
      ];
      for (const [kind, names] of Object.entries(escapes())) {
        for (const name of names) {
          const said: string[] = [];
          for (const [tool, args] of calls(name)) {
            const outcome = await agent.request('tools/call', { name: tool, arguments: args }).then(
              (result) => {
                assert.equal(result['isError'], true, `${kind}: ${tool} of ${name} gave ${JSON.stringify(result)}`);
                return JSON.stringify(result);
              },
              (error: unknown) => String(error),
            );
            said.push(outcome);
          }
          for (const uri of [name, `diagnostics://file/${name}`, `symbols://file/${name}`]) {
            for (const method of ['resources/read', ...(way.includes('2025') ? ['resources/subscribe'] : [])]) {
              await assert.rejects(agent.request(method, { uri }), `${kind}: ${method} of ${uri}`);
            }
          }
          assert.doesNotMatch(
            said.join().replaceAll(JSON.stringify(SECRET), ''),
            new RegExp(`${SECRET}|root:x:0`),
            name,
          );
        }
      }
      assert.deepEqual(editor.asked, []);
      assert.deepEqual(editor.shown, []);
      const found = await agent.request('tools/call', { name: 'search_text', arguments: { query: SECRET } });
      assert.deepEqual((found['structuredContent'] as { files?: unknown[] }).files, []);
      const listed = JSON.stringify(await agent.request('tools/call', { name: 'list_files', arguments: {} }));
      assert.doesNotMatch(listed, /\.env|linked\.ts|harmless|"out|secret/);
      await agent.close();
    });
  }

  it('a link that is put in the place of a file after it was listed is not followed', async () => {
    const agent = await rawHttp('session', window, 'port');
    const { editor } = window;
    editor.write('swapped.ts', 'fine');
    const read = () => agent.request('resources/read', { uri: editor.uri('swapped.ts') });
    assert.match(JSON.stringify(await read()), /fine/);
    rmSync(editor.path('swapped.ts'));
    symlinkSync(join(editor.root, 'secret.txt'), editor.path('swapped.ts'));
    await assert.rejects(read(), { code: -32_002 });
    await agent.close();
  });
});

/** A tool that failed as a rejection. */
function failed(result: Record<string, unknown>): never {
  throw new Error(JSON.stringify(result));
}
