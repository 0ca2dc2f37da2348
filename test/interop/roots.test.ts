import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { signal } from '@preact/signals-core';
import { NullLogger } from '../../src/base/log';
import { RootDirectories } from '../../src/core/clientFeatures/rootDirectories';
import type { RootSettings } from '../../src/core/clientFeatures/rootLists';
import { boundedPresence } from '../../src/core/clientFeatures/rootPresence';
import type { WorkspaceFolder } from '../../src/core/config/configTypes';
import { openTestHub, type TestHub } from '../harness/testHub';

const program = resolve('node_modules/@modelcontextprotocol/server-filesystem/dist/index.js');

describe('roots of the file system server', () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'portico-roots-')));
  const folder = (name: string): WorkspaceFolder => {
    const path = join(base, name);
    return { name, uri: '', path };
  };
  const names = ['plain', 'a#b ünï 漢', '100%41?'];
  const settings = signal<RootSettings>({
    folders: [],
    include: [],
    exclude: [],
    home: base,
    platform: process.platform,
  });
  const use = (folders: readonly string[], more: Partial<RootSettings> = {}) => {
    settings.value = { ...settings.value, folders: folders.map(folder), include: [], exclude: [], ...more };
  };
  const directories = new RootDirectories(settings, boundedPresence(), new NullLogger());
  let test: TestHub;
  before(async () => {
    names.forEach((name) => mkdirSync(join(base, name)));
    use(['plain']);
    test = await openTestHub({ fs: { command: process.execPath, args: [program] } }, { roots: directories });
    await test.hub.start('fs', { interactive: false });
  });
  after(async () => {
    await test.close();
    directories.dispose();
    rmSync(base, { recursive: true, force: true });
  });

  const allowed = async (): Promise<readonly string[]> => {
    const { content } = await test.hub.callTool(
      { server: 'fs', name: 'list_allowed_directories' },
      {},
      { caller: { kind: 'manual', label: 'the test' } },
    );
    const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
    return text.split('\n').slice(1);
  };
  /** The server asks after it was told, and answers calls meanwhile. */
  const becomes = async (expected: readonly string[]): Promise<void> => {
    const wanted = expected.map((name) => join(base, name));
    for (let now = await allowed(); now.join('\n') !== wanted.join('\n'); now = await allowed()) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };

  it('fault 54: it finds every folder by its URI', async () => {
    await becomes(['plain']);
    use(names);
    await becomes(names);
  });

  it('it follows folders that go, and what the settings add and hold back', async () => {
    use(['plain', 'not there']);
    await becomes(['plain']);
    use(['plain'], { include: [{ scope: 'user', value: { fs: ['~/100%41?'] } }] });
    await becomes(['plain', '100%41?']);
    use(names, { exclude: [{ scope: 'user', value: { '*': ['${workspaceFolder:plain}'] } }] });
    await becomes(names.slice(1));
  });
});
