import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { renameSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { PorticoError } from '../../../../../src/base/errors';
import { PathGate } from '../../../../../src/server/editor/files/pathGate';
import { deepestRealPath } from '../../../../../src/server/editor/files/realPaths';
import { TemporaryWorkspace } from './temporaryWorkspace';

async function refusalOf(gated: Promise<unknown>): Promise<string> {
  try {
    await gated;
  } catch (error) {
    assert.ok(PorticoError.is(error, 'RESOURCE_UNKNOWN'), String(error));
    return error.message;
  }
  throw new Error('It was let pass.');
}

describe('path gate', () => {
  let ws: TemporaryWorkspace;
  let gate: PathGate;
  beforeEach(() => {
    ws = new TemporaryWorkspace(['ws', 'lib'], {
      'ws/src/a.ts': 'a',
      'ws/my file.ts': 'spaces',
      'ws/.env': 'SECRET',
      'ws/.env.example': 'NAME=',
      'ws/deep/.ssh/config': 'SECRET',
      'ws/deep/.docker/config.json': 'SECRET',
      'lib/b.ts': 'b',
      'outside/x.ts': 'SECRET',
      'ws-secret/x.ts': 'SECRET',
    });
    gate = new PathGate({ folders: ws.folders, settings: ws.settings });
  });
  afterEach(() => ws.dispose());

  const read = async (name: string): Promise<string> => {
    const opened = await gate.open(await gate.file(name));
    try {
      return new TextDecoder().decode(await opened.bytes(0, opened.size));
    } finally {
      opened.close();
    }
  };

  it('refuses at once what is longer than any path or name, in every form', async () => {
    const folder = ws.path('ws');
    const long = 'a/'.repeat(2_100) + 'x';
    const encoded = `${ws.uri('ws')}/${'%61/'.repeat(3_000)}x`;
    for (const name of [long, `${folder}/${long}`, `${ws.uri('ws')}/${long}`, encoded, 'x'.repeat(5_000_000)]) {
      for (const look of [gate.resolve(name), gate.file(name), gate.directory(name)]) {
        await assert.rejects(look, (error: Error) => {
          assert.ok(PorticoError.is(error, 'ARGUMENTS_INVALID'), String(error));
          assert.match(error.message, /^The path: it has \d+ characters; at most \d+ are taken\.$/);
          return true;
        });
      }
    }
    const name = { code: 'ARGUMENTS_INVALID', message: /longer than any file's/ };
    await assert.rejects(gate.resolve(`ws/${'é'.repeat(200)}`), name);
    await gate.resolve(`ws/${'é'.repeat(127)}`);
    await assert.rejects(gate.resolve('src/a.ts', 'w'.repeat(100_000)), { code: 'ARGUMENTS_INVALID' });
  });

  it('looks no further for a path than it is there', async () => {
    const looks: string[] = [];
    const isThere = async (path: string): Promise<boolean> => {
      looks.push(path);
      return path === '/' || ws.path('ws').startsWith(path);
    };
    const rest = 'm/'.repeat(1_500) + 'x';
    assert.equal(await deepestRealPath(`${ws.path('ws')}/${rest}`, 'linux', isThere), `${ws.path('ws')}/${rest}`);
    assert.equal(looks.length, ws.path('ws').split('/').length);
    assert.equal((await gate.resolve(`ws/${rest}`)).kind, undefined);
    ws.link('ws/dangling', ws.path('nowhere'));
    assert.equal(await deepestRealPath(ws.path('ws/dangling/x'), 'linux'), undefined);
    assert.equal(await deepestRealPath(ws.path('ws/src/a.ts/x'), 'linux'), ws.path('ws/src/a.ts/x'));
  });

  it('lets files of all folders pass, however they are named', async () => {
    const path = ws.path('ws/src/a.ts');
    const names = ['src/a.ts', 'ws/src/a.ts', './src/a.ts', path, ws.uri('ws/src/a.ts'), `FILE://localhost${path}`];
    for (const name of [...names, ws.uri('ws/src/a.ts').replace('a.ts', '%61%2ets')]) {
      const { uri, kind, segments, folder } = await gate.file(name);
      assert.deepEqual(
        { uri, kind, segments, folder: folder.name },
        { uri: ws.uri('ws/src/a.ts'), kind: 'file', segments: ['src', 'a.ts'], folder: 'ws' },
        name,
      );
      assert.equal(await read(name), 'a');
    }
    assert.equal(await read('b.ts'), 'b');
    assert.equal(await read('my file.ts'), 'spaces');
    assert.equal(gate.label(await gate.file('b.ts')), 'lib/b.ts');
    assert.equal((await gate.directory('ws/src')).kind, 'directory');
  });

  it('takes a relative path in the folder that is meant', async () => {
    ws.write('ws/same.ts', '1');
    ws.write('lib/same.ts', '2');
    await assert.rejects(gate.file('same.ts'), (error) => PorticoError.is(error, 'ARGUMENTS_INVALID'));
    assert.equal(await read('lib/same.ts'), '2');
    for (const folder of ['lib', ws.path('lib'), ws.uri('lib')]) {
      assert.equal((await gate.file('same.ts', folder)).path, ws.path('lib/same.ts'));
    }
    await assert.rejects(gate.file('same.ts', 'other'), (error) => PorticoError.is(error, 'ARGUMENTS_INVALID'));
    assert.equal((await gate.resolve('lib/new.ts')).path, ws.path('lib/new.ts'));
    await refusalOf(gate.resolve('new.ts'));
    ws.folders.value = [ws.folder('lib')];
    assert.equal((await gate.resolve('new.ts')).path, ws.path('lib/new.ts'));
    assert.equal(gate.label(await gate.resolve('new.ts')), 'new.ts');
    ws.folders.value = [];
    await refusalOf(gate.resolve('new.ts'));
  });

  it('fault 65: refuses what is outside in the same words, there or not', async () => {
    ws.link('ws/out', ws.path('outside'));
    ws.link('ws/dead', ws.path('outside/none'));
    ws.link('ws/file.ts', ws.path('outside/x.ts'));
    const pairs = [
      [ws.path('outside/x.ts'), ws.path('outside/none.ts')],
      [ws.uri('ws-secret/x.ts'), ws.uri('ws-secret/none.ts')],
      ['/etc/passwd', '/etc/none'],
      ['/root/.bashrc', '/root/none/none'],
      ['ws/out/x.ts', 'ws/out/none.ts'],
      ['ws/out', 'ws/dead'],
      ['ws/file.ts', 'ws/dead'],
    ] as const;
    for (const [there, none] of pairs) {
      const [first, second] = [await refusalOf(gate.resolve(there)), await refusalOf(gate.resolve(none))];
      assert.equal(first.replace(JSON.stringify(there), ''), second.replace(JSON.stringify(none), ''));
      assert.equal(await gate.isInside(there), false);
      assert.equal(await gate.isInside(none), false);
    }
  });

  it('fault 65: refuses a new file below a linked folder, and one that a dead link would make', async () => {
    ws.link('ws/out', ws.path('outside'));
    ws.link('ws/dead.ts', ws.path('outside/new.ts'));
    ws.link('ws/loop', ws.path('ws/loop'));
    ws.link('ws/inner', ws.path('ws/src'));
    for (const name of [
      'ws/out/new.ts',
      'ws/out/new/deep.ts',
      'ws/dead.ts',
      'ws/dead.ts/deep',
      'ws/loop',
      'ws/loop/a',
    ]) {
      await refusalOf(gate.resolve(name));
    }
    const { realPath, path, kind } = await gate.resolve('ws/inner/new.ts');
    assert.deepEqual([realPath, path, kind], [ws.path('ws/src/new.ts'), ws.path('ws/inner/new.ts'), undefined]);
  });

  it('fault 65: refuses secrets by any name, whether they are there or not', async () => {
    ws.link('ws/readme.txt', ws.path('ws/.env'));
    ws.link('ws/keys', ws.path('ws/deep/.ssh'));
    const names = [
      '.env',
      '.ENV',
      'src/.env.local',
      'none/.env',
      'ca.PEM',
      'deep/.ssh',
      'deep/.ssh/config',
      'deep/.ssh/none',
    ];
    for (const name of [...names, 'deep/.docker/config.json', 'readme.txt', 'keys/config', 'keys/new']) {
      const message = await refusalOf(gate.resolve(`ws/${name}`));
      assert.match(message, /list of secret files/);
      assert.doesNotMatch(message, /\.ssh.*keys|readme.*\.env/);
    }
    assert.equal(await read('ws/.env.example'), 'NAME=');
    ws.settings.value = { ...ws.settings.value, secrets: ['src/**'] };
    assert.equal(await read('ws/.env'), 'SECRET');
    await refusalOf(gate.file('ws/src/a.ts'));
  });

  it('lets links lead to the directories that the person allows, and nothing else of them', async () => {
    ws.link('ws/out', ws.path('outside'));
    ws.write('outside/.env', 'SECRET');
    ws.settings.value = { ...ws.settings.value, allowedDirectories: [ws.path('outside')] };
    assert.equal(await read('ws/out/x.ts'), 'SECRET');
    assert.equal((await gate.file('ws/out/x.ts')).uri, ws.uri('ws/out/x.ts'));
    await refusalOf(gate.file(ws.path('outside/x.ts')));
    await refusalOf(gate.file('ws/out/.env'));
  });

  it('reads a workspace that is itself reached by a link, by both of its names', async () => {
    ws.link('opened', ws.path('ws'));
    ws.folders.value = [ws.folder('opened')];
    const { uri, realPath } = await gate.file('src/a.ts');
    assert.deepEqual([uri, realPath], [ws.uri('opened/src/a.ts'), ws.path('ws/src/a.ts')]);
    assert.equal((await gate.file(ws.path('ws/src/a.ts'))).uri, uri);
  });

  it('tells directories from files, and refuses what is neither', async () => {
    execFileSync('mkfifo', [ws.path('ws/pipe')]);
    const socket = createServer().listen(ws.path('ws/socket'));
    await once(socket, 'listening');
    ws.link('ws/null', '/dev/null');
    for (const name of ['ws/pipe', 'ws/socket', 'ws/null', 'ws/src/a.ts/b']) {
      await refusalOf(gate.file(name));
    }
    assert.match(await refusalOf(gate.file('ws/src')), /is a directory/);
    assert.match(await refusalOf(gate.directory('ws/src/a.ts')), /is a file/);
    assert.match(await refusalOf(gate.file('ws/none.ts')), /There is no "ws\/none\.ts"/);
    socket.close();
    await once(socket, 'close');
  });

  it('fault 65: looks again at what it has opened', async () => {
    const passed = await gate.file('ws/src/a.ts');
    renameSync(ws.path('ws/src'), ws.path('ws/old'));
    ws.link('ws/src', ws.path('outside'));
    ws.write('outside/a.ts', 'SECRET');
    await refusalOf(gate.open(passed));
    rmSync(ws.path('ws/src'));
    ws.write('ws/src/a.ts', 'new');
    const opened = await gate.open(passed);
    assert.equal(new TextDecoder().decode(await opened.bytes(0, 3)), 'new');
    opened.close();
    rmSync(ws.path('ws/src/a.ts'));
    ws.link('ws/src/a.ts', ws.path('outside/x.ts'));
    await refusalOf(gate.open(passed));
    rmSync(ws.path('ws/src/a.ts'));
    execFileSync('mkfifo', [ws.path('ws/src/a.ts')]);
    await refusalOf(gate.open(passed));
  });

  it('says of a file that is another at each opening that it changed', async () => {
    const passed = await gate.file('ws/src/a.ts');
    rmSync(passed.path);
    ws.link('ws/src/a.ts', ws.path('ws/my file.ts'));
    await assert.rejects(gate.open(passed), (error: unknown) => {
      assert.ok(PorticoError.is(error, 'RESOURCE_FAILED'), String(error));
      assert.equal(error.message, 'ws/src/a.ts changed each time that it was opened. Read it again.');
      return true;
    });
  });

  it('takes no part in a pipe by looking at it', async () => {
    execFileSync('mkfifo', [ws.path('ws/pipe')]);
    const writer = spawn('sh', ['-c', 'echo precious > "$0"', ws.path('ws/pipe')]);
    const ended = once(writer, 'exit');
    for (const looks of [gate.resolveOpen('ws/pipe'), gate.file('ws/pipe'), gate.directory('ws/pipe')]) {
      assert.match(await refusalOf(looks), /neither a file nor a directory/);
    }
    assert.equal(await readFile(ws.path('ws/pipe'), 'utf8'), 'precious\n');
    assert.deepEqual(await ended, [0, null]);
  });

  it('fault 65: gives nothing of what a link leads to that a folder is replaced with while it is open', async () => {
    assert.equal(await read('lib/b.ts'), 'b');
    rmSync(ws.path('lib'), { recursive: true });
    ws.link('lib', ws.path('outside'));
    assert.match(await refusalOf(gate.file('lib/x.ts')), /leads out of it/);
    rmSync(ws.path('lib'));
    ws.write('lib/b.ts', 'again');
    assert.equal(await read('lib/b.ts'), 'again');
  });

  it('names folders of the same name by their paths', async () => {
    ws.write('other/lib/b.ts', 'another');
    ws.folders.value = ['ws', 'lib', 'other/lib'].map((folder) => ws.folder(folder));
    const [one, other] = [ws.path('lib'), ws.path('other/lib')];
    await assert.rejects(gate.file('b.ts'), {
      message: `"b.ts" is in several folders of the workspace. Put the name of one before it: ws, ${one}, ${other}.`,
    });
    assert.equal(gate.label(await gate.file(`${other}/b.ts`)), `${other}/b.ts`);
  });

  it('fault 65: takes other casing for the same file where the platform does', async () => {
    const mac = new PathGate({ folders: ws.folders, settings: ws.settings }, 'darwin');
    const named = await mac.resolve(ws.path('WS/src/a.ts'));
    assert.equal(named.uri, ws.uri('ws/src/a.ts'));
    await refusalOf(gate.resolve(ws.path('WS/src/a.ts')));
  });
});
