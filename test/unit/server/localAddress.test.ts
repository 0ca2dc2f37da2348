import assert from 'node:assert/strict';
import { type AddressSurroundings, chooseLocalAddress, localUriParts } from '../../../src/server/localAddress';

const linux: AddressSurroundings = {
  platform: 'linux',
  tmpdir: '/tmp',
  runtimeDir: '/run/user/1000',
  uid: 1000,
  nonce: '0123456789abcdef0123456789abcdef',
};

describe('local address', () => {
  it('is in the user’s runtime directory where there is one, else in the temporary one', () => {
    assert.deepEqual(chooseLocalAddress(linux), {
      kind: 'socket',
      path: '/run/user/1000/portico/0123456789abcdef0123456789abcdef.sock',
      directory: '/run/user/1000/portico',
    });
    assert.equal(chooseLocalAddress({ ...linux, runtimeDir: undefined }).directory, '/tmp/portico-1000');
    assert.equal(chooseLocalAddress({ ...linux, runtimeDir: '' }).directory, '/tmp/portico-1000');
  });

  it('is always short enough for a socket, and free of percent signs', () => {
    const deep = `/var/folders/${'x'.repeat(80)}`;
    for (const tmpdir of [deep, '/home/100%41/tmp', '/var/folders/ab/T', '/tmp/ünï 漢'.repeat(6)]) {
      const { path } = chooseLocalAddress({ ...linux, platform: 'darwin', runtimeDir: undefined, tmpdir });
      assert.ok(Buffer.byteLength(path) < 100, path);
      assert.ok(!path.includes('%'), path);
    }
  });

  it('is a named pipe on Windows', () => {
    assert.deepEqual(chooseLocalAddress({ ...linux, platform: 'win32', tmpdir: 'C:\\Temp', uid: undefined }), {
      kind: 'pipe',
      path: '\\\\.\\pipe\\portico-0123456789abcdef0123456789abcdef',
      directory: undefined,
    });
  });

  it('becomes the URI that the editor’s client dials', () => {
    assert.deepEqual(localUriParts({ kind: 'socket', path: '/run/a.sock' }, '/gateway/jira'), {
      scheme: 'unix',
      path: '/run/a.sock',
      fragment: '/gateway/jira',
    });
    assert.deepEqual(localUriParts({ kind: 'pipe', path: '\\\\.\\pipe\\p' }, '/gateway/jira'), {
      scheme: 'pipe',
      path: '\\\\.\\pipe\\p',
      fragment: '/gateway/jira',
    });
  });
});
