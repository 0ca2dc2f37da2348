import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { defaultSecrets, SecretFiles } from '../../../../../src/server/editor/files/secretFiles';

interface Setting {
  readonly default: readonly string[];
}

describe('the list of secret files', () => {
  it('is by default what the setting shows', () => {
    const { contributes } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      contributes: { configuration: readonly { properties: Readonly<Record<string, Setting>> }[] };
    };
    const [setting] = contributes.configuration.flatMap(({ properties }) => properties['portico.agents.secrets'] ?? []);
    assert.deepEqual(setting?.default, defaultSecrets);
  });

  it('has by default all that Git keeps of a repository, at any depth, and nothing that is like it by name alone', () => {
    const secrets = new SecretFiles(defaultSecrets);
    const isSecret = (path: string): boolean => secrets.has(path.split('/'));
    for (const path of [
      '.git',
      '.git/config',
      '.GIT/config',
      '.git/HEAD',
      '.git/logs/HEAD',
      '.git/packed-refs',
      '.git/modules/x/config',
      'module/.git',
      'a/b/.git/COMMIT_EDITMSG',
    ]) {
      assert.ok(isSecret(path), path);
    }
    for (const path of ['.gitignore', '.gitattributes', '.github/workflows/ci.yml', 'git/config', 'x.git/config']) {
      assert.ok(!isSecret(path), path);
    }
  });
});
