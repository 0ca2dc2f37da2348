import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { PorticoError } from '../../../../../src/base/errors';
import { listDirectory } from '../../../../../src/server/editor/files/directoryListing';
import { PathGate } from '../../../../../src/server/editor/files/pathGate';
import { TemporaryWorkspace } from './temporaryWorkspace';

describe('a listing of a directory', () => {
  let ws: TemporaryWorkspace;
  let gate: PathGate;
  beforeEach(() => {
    ws = new TemporaryWorkspace(['ws']);
    gate = new PathGate({ folders: ws.folders, settings: ws.settings });
  });
  afterEach(() => ws.dispose());

  const list = async (name: string) => listDirectory(gate, await gate.directory(name));
  const names = async (name: string): Promise<readonly string[]> =>
    (await list(name)).entries.map((entry) => entry.name);

  it('fault 65: has no secrets and no links that lead out, and counts what it could give', async () => {
    for (const path of ['ws/b.ts', 'ws/a/c.ts', 'ws/.env', 'ws/.ssh/key', 'out/x.ts']) {
      ws.write(path);
    }
    ws.link('ws/out', ws.path('out'));
    ws.link('ws/keys', ws.path('ws/.ssh'));
    ws.link('ws/inner', ws.path('ws/a'));
    execFileSync('mkfifo', [ws.path('ws/pipe')]);
    writeFileSync(Buffer.concat([Buffer.from(ws.path('ws/')), Buffer.from([0x62, 0xff])]), 'no UTF-8');
    assert.deepEqual(await list('.'), {
      entries: [
        { name: 'a', kind: 'directory', uri: ws.uri('ws/a') },
        { name: 'b.ts', kind: 'file', uri: ws.uri('ws/b.ts') },
        { name: 'inner', kind: 'directory', uri: ws.uri('ws/inner') },
      ],
      total: 3,
    });
  });

  it('fault 65: holds back by a link too what is secret in the directory itself', async () => {
    ws.settings.value = { ...ws.settings.value, secrets: ['.docker/config.json', 'conf/private/*'] };
    for (const path of ['ws/.docker/config.json', 'ws/.docker/other', 'ws/conf/private/pw.txt', 'ws/conf/a']) {
      ws.write(path);
    }
    ws.link('ws/docker', ws.path('ws/.docker'));
    ws.link('ws/settings', ws.path('ws/conf'));
    assert.deepEqual(await names('docker'), ['other']);
    assert.deepEqual(await names('settings/private'), []);
    assert.deepEqual(await names('conf/private'), []);
  });

  it('gives the first 1,000 of very many, and says how many there are', async () => {
    const all = Array.from({ length: 5_005 }, (_, index) => `${index}.txt`);
    all.forEach((name) => ws.write(`ws/${name}`));
    const { entries, total } = await list('.');
    assert.equal(total, 5_005);
    assert.deepEqual(
      entries.map(({ name }) => name),
      [...all].sort().slice(0, 1_000),
    );
  });

  it('fault 65: refuses what has been put in the place of a directory', async () => {
    ws.write('ws/a/c.ts');
    ws.write('out/x.ts');
    const passed = await gate.directory('a');
    rmSync(ws.path('ws/a'), { recursive: true });
    const refused = (pattern: RegExp) => (error: unknown) =>
      PorticoError.is(error, 'RESOURCE_UNKNOWN') && pattern.test(error.message);
    await assert.rejects(listDirectory(gate, passed), refused(/^There is no "a" in the workspace/));
    ws.write('ws/a', 'a file');
    await assert.rejects(listDirectory(gate, passed), refused(/^There is no "a" in the workspace/));
    rmSync(ws.path('ws/a'));
    ws.link('ws/a', ws.path('out'));
    await assert.rejects(listDirectory(gate, passed), refused(/^There is no "a" in the workspace/));
  });
});
