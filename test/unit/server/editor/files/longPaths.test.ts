import assert from 'node:assert/strict';
import { defaultSecrets, SecretFiles } from '../../../../../src/server/editor/files/secretFiles';

describe('secret files in paths of many names', () => {
  it('are found wherever they stand, as if each part of the path were looked at alone', () => {
    const globs = ['/root/x', 'dir/**', 'a/{b,c}', 'keys/', 'p/[kl].ts', '.docker/config.json', '*.pem', '!ok.pem'];
    const secrets = new SecretFiles([...globs, '!fine/config.json', 'fine/config.json']);
    const names = ['root', 'x', 'dir', 'a', 'b', 'c', 'keys', 'p', 'k.ts', '.docker', 'config.json', 'ok.pem', 'k.PEM'];
    let held = 0;
    for (const one of names) {
      for (const two of names) {
        for (const three of names) {
          const path = [one, two, three];
          const parts = path.map((_name, index) => path.slice(0, index + 1).join('/'));
          const isHeld = parts.some((part) => secrets.holds(part));
          assert.equal(secrets.has(path), isHeld, path.join('/'));
          held += isHeld ? 1 : 0;
        }
      }
    }
    assert.ok(held > 500 && held < names.length ** 3 - 500, String(held));
    assert.equal(secrets.has(['fine', 'config.json']), false);
  });

  it('are looked for in a time that grows with the path, not with its square', () => {
    const secrets = new SecretFiles(defaultSecrets);
    const time = (count: number): number => {
      const path = Array.from({ length: count }, () => 'a');
      const start = performance.now();
      assert.equal(secrets.has(path), false);
      return performance.now() - start;
    };
    time(2_000);
    const best = (count: number): number => Math.min(...Array.from({ length: 5 }, () => time(count)));
    assert.ok(best(20_000) < 30 * best(2_000));
  });
});
