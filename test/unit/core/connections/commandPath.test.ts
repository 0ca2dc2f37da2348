import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { readMarkedPath } from '../../../../src/core/connections/loginShellPath';
import type { Launch } from '../../../../src/core/config/configTypes';
import type { ConnectionTuning } from '../../../../src/core/connections/connectionTuning';
import { connectionTo, resolveLaunch, stopAll, type TestConnection } from './testConnection';
import { WireTrace } from './until';

const start = { interactive: false } as const;

/** A host with a minimal PATH, as an editor started from the dock has it. */
function fromDock(launch: Launch, loginPath: ConnectionTuning['loginPath']): TestConnection {
  return connectionTo(launch, {
    tuning: { loginPath },
    dependencies: {
      resolve: async (definition) => {
        const resolved = await resolveLaunch(definition);
        return resolved.type === 'stdio' && launch.type === 'stdio'
          ? { ...resolved, env: { ...resolved.env, PATH: '/usr/bin:/bin', ...(launch.env as Record<string, string>) } }
          : resolved;
      },
    },
  });
}

describe('the PATH that commands are looked for on', () => {
  let files: WireTrace;
  beforeEach(() => {
    files = new WireTrace();
  });
  afterEach(async () => {
    await stopAll();
    files.dispose();
  });

  const own = (name: string, text: string): string => {
    const path = files.path(name);
    writeFileSync(path, text);
    chmodSync(path, 0o755);
    return path;
  };

  it('fault 24: a command only on the login shell’s PATH is found', async () => {
    own('my-npx', `#!/bin/sh\nexec "${process.execPath}" "$@"\n`);
    const launch: Launch = {
      type: 'stdio',
      command: 'my-npx',
      args: ['test/fixtures/servers/plain.mjs'],
      env: { FOO: '1' },
    };
    const { connection } = fromDock(launch, async () => `${dirname(files.file)}:/usr/bin:/bin`);
    await connection.start(start);
    assert.equal(connection.state.value.kind, 'ready');
  });

  it('fault 24: the interpreter of a script is found on the login shell’s PATH', async () => {
    own('my-node', `#!/bin/sh\nexec "${process.execPath}" "$@"\n`);
    const command = own(
      'server',
      '#!/usr/bin/env my-node\nimport("' + process.cwd() + '/test/fixtures/servers/plain.mjs")\n',
    );
    const { connection } = fromDock(
      { type: 'stdio', command, args: [], env: {} },
      async () => `${dirname(files.file)}:/usr/bin:/bin`,
    );
    await connection.start(start);
    assert.equal(connection.state.value.kind, 'ready');
  });

  it('fault 24: a PATH in the entry wins, and the shell is not asked', async () => {
    let asked = 0;
    const { connection } = fromDock({ type: 'stdio', command: 'my-npx', args: [], env: { PATH: '/x' } }, async () => {
      asked += 1;
      return '/y';
    });
    await assert.rejects(connection.start(start), {
      code: 'COMMAND_NOT_FOUND',
      message: /"my-npx".*PATH searched: \/x$/,
    });
    assert.equal(asked, 0);
  });

  it('fault 24: the error names the command and every place that was searched', async () => {
    const { connection } = fromDock({ type: 'stdio', command: 'my-npx', args: [], env: {} }, async () => '/login/bin');
    await assert.rejects(connection.start(start), {
      code: 'COMMAND_NOT_FOUND',
      message: /PATH searched: \/login\/bin$/,
    });
  });

  it('reads the PATH out of whatever else a login script prints', () => {
    assert.equal(readMarkedPath('hello\n__portico_path__/a:/b__portico_path__\nbye'), '/a:/b');
    assert.equal(readMarkedPath('hello'), undefined);
  });
});
