import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { askLoginShell, readMarked, shellArguments, withLogin } from '../../../../src/core/connections/loginShell';
import type { Launch } from '../../../../src/core/config/configTypes';
import type { ConnectionTuning } from '../../../../src/core/connections/connectionTuning';
import { connectionTo, resolveLaunch, stopAll, type TestConnection } from './testConnection';
import { eventually, isAlive, WireTrace } from './until';

const start = { interactive: false } as const;

const withoutShell = ({ SHLVL: _shell, ...env }: Readonly<Record<string, string>>): Record<string, string> => env;

const withoutNull = (env: Readonly<Record<string, string | null>>): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== null));

/** A host with a minimal PATH, as an editor started from the dock has it. */
function fromDock(
  launch: Launch,
  loginEnvironment: ConnectionTuning['loginEnvironment'],
  more: Record<string, string> = { SHLVL: '1' },
): TestConnection {
  return connectionTo(launch, {
    tuning: { loginEnvironment },
    dependencies: {
      resolve: async (definition) => {
        const resolved = await resolveLaunch(definition);
        return resolved.type === 'stdio' && launch.type === 'stdio'
          ? {
              ...resolved,
              env: {
                ...withoutShell(resolved.env),
                PATH: '/usr/bin:/bin',
                ...more,
                ...withoutNull(launch.env),
              },
            }
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
    const { connection } = fromDock(launch, async () => ({ PATH: `${dirname(files.file)}:/usr/bin:/bin` }));
    await connection.start(start);
    assert.equal(connection.state.value.kind, 'ready');
  });

  it('fault 24: the interpreter of a script is found on the login shell’s PATH', async () => {
    own('my-node', `#!/bin/sh\nexec "${process.execPath}" "$@"\n`);
    const command = own(
      'server',
      '#!/usr/bin/env my-node\nimport("' + process.cwd() + '/test/fixtures/servers/plain.mjs")\n',
    );
    const { connection } = fromDock({ type: 'stdio', command, args: [], env: {} }, async () => ({
      PATH: `${dirname(files.file)}:/usr/bin:/bin`,
    }));
    await connection.start(start);
    assert.equal(connection.state.value.kind, 'ready');
  });

  it('fault 24: a PATH in the entry wins, and the shell is not asked', async () => {
    let asked = 0;
    const { connection } = fromDock({ type: 'stdio', command: 'my-npx', args: [], env: { PATH: '/x' } }, async () => {
      asked += 1;
      return { PATH: '/y' };
    });
    await assert.rejects(connection.start(start), {
      code: 'COMMAND_NOT_FOUND',
      message: /"my-npx".*PATH searched: \/x$/,
    });
    assert.equal(asked, 0);
  });

  it('fault 24: the error names the command and every place that was searched', async () => {
    const { connection } = fromDock({ type: 'stdio', command: 'my-npx', args: [], env: {} }, async () => ({
      PATH: '/login/bin',
    }));
    await assert.rejects(connection.start(start), {
      code: 'COMMAND_NOT_FOUND',
      message: /PATH searched: \/login\/bin$/,
    });
  });

  it('fault 24: variables of the login shell are there where the editor was started without a shell', async () => {
    const launch: Launch = {
      type: 'stdio',
      command: process.execPath,
      args: ['test/fixtures/servers/environment.mjs'],
      env: { TAKEN_OUT: null, OWN: 'entry' },
    };
    const login = {
      PATH: '/login/bin:/usr/bin',
      FROM_LOGIN: 'yes',
      OWN: 'login',
      TAKEN_OUT: 'login',
      HOME: '/nowhere',
    };
    const { connection } = fromDock(launch, async () => login, {});
    const { content } = await connection.callTool('echo', {});
    const seen = JSON.parse(content[0]?.type === 'text' ? content[0].text : '{}') as Record<string, string>;
    assert.deepEqual(
      [seen['PATH'], seen['FROM_LOGIN'], seen['OWN'], seen['TAKEN_OUT'], seen['HOME'] === process.env['HOME']],
      ['/login/bin:/usr/bin', 'yes', 'entry', undefined, true],
    );
  });
});

describe('the login shell', () => {
  let files: WireTrace;
  beforeEach(() => {
    files = new WireTrace();
  });
  afterEach(() => files.dispose());

  /** A shell whose login scripts do what `scripts` says. */
  const shell = (scripts: string): string => {
    const path = files.path("it's a $(touch pwned) shell");
    writeFileSync(path, `#!/bin/sh\n${scripts}\nshift 2\nexec /bin/sh "$@"\n`);
    chmodSync(path, 0o755);
    return path;
  };

  it('tells its variables, whatever its scripts print', async () => {
    const noisy = shell('echo hello; echo {"A":1}; export FROM_RC="a \'b\' \\"c\\" → é"; printf "no newline"');
    const login = await askLoginShell(noisy);
    assert.equal(login?.['FROM_RC'], 'a \'b\' "c" → é');
    assert.equal(login['PORTICO_MARK'], undefined);
    assert.equal(login['ELECTRON_RUN_AS_NODE'], undefined);
    assert.equal(existsSync('pwned'), false);
  });

  it('is not waited for longer than its time, and nothing of it stays', async () => {
    const slow = shell(`echo $$ > ${files.path('pid')}; sleep 60`);
    assert.equal(await askLoginShell(slow, 700), undefined);
    const pid = Number(readFileSync(files.path('pid'), 'utf8'));
    await eventually(() => !isAlive(pid));
  });

  it('may be absent, fail or be none', async () => {
    assert.equal(await askLoginShell(''), undefined);
    assert.equal(await askLoginShell(files.path('none')), undefined);
    assert.equal(await askLoginShell(shell('exit 3')), undefined);
  });

  it('reads only what stands between the marks', () => {
    assert.deepEqual(readMarked('x\nM{"A":"1","N":2,"SHLVL":"1"}My', 'M'), { A: '1' });
    assert.equal(readMarked('x', 'M'), undefined);
    assert.equal(readMarked('M{"A":', 'M'), undefined);
  });

  it('is asked in the way it knows', () => {
    assert.deepEqual(shellArguments('/bin/zsh').slice(0, 3), ['-i', '-l', '-c']);
    assert.equal(shellArguments('/bin/tcsh')[0], '-ic');
  });

  it('adds what is missing and its PATH', () => {
    assert.deepEqual(withLogin({ A: '1', PATH: '/a' }, { A: '2', B: '2', C: '2', PATH: '/l' }, { C: null }), {
      A: '1',
      B: '2',
      PATH: '/l',
    });
    assert.equal(withLogin({ PATH: '/entry' }, { PATH: '/l' }, { PATH: '/entry' })['PATH'], '/entry');
    // A name that every object has something under.
    assert.deepEqual(withLogin({}, { constructor: '2' }, {}), { constructor: '2' });
  });
});
