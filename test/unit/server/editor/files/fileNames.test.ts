import assert from 'node:assert/strict';
import { PorticoError } from '../../../../../src/base/errors';
import { fileUri, pathKey, readFileName, segmentsBelow } from '../../../../../src/server/editor/files/fileNames';

const refusal = (error: unknown): boolean => PorticoError.is(error, 'RESOURCE_UNKNOWN');

describe('names of files', () => {
  const whole: readonly (readonly [NodeJS.Platform, string, string])[] = [
    ['linux', '/ws/a.ts', '/ws/a.ts'],
    ['linux', '/ws//a/./b.ts', '/ws/a/b.ts'],
    ['linux', 'file:///ws/a.ts', '/ws/a.ts'],
    ['linux', 'FILE:///ws/a.ts', '/ws/a.ts'],
    ['linux', 'file:/ws/a.ts', '/ws/a.ts'],
    ['linux', 'file://localhost/ws/a.ts', '/ws/a.ts'],
    ['linux', 'file:///ws/my%20file.ts', '/ws/my file.ts'],
    ['linux', 'file:///ws/my file.ts', '/ws/my file.ts'],
    ['linux', 'file:///%77s/%61.ts', '/ws/a.ts'],
    ['linux', 'file:///ws/%C3%A4.ts', '/ws/ä.ts'],
    ['linux', 'file:///ws/ä.ts', '/ws/ä.ts'],
    ['linux', 'file:///ws/100%.txt', '/ws/100%.txt'],
    ['linux', 'file:///ws/a#b?c.ts', '/ws/a#b?c.ts'],
    ['linux', 'file:///ws/a%23b%3Fc.ts', '/ws/a#b?c.ts'],
    ['linux', 'file:///ws/a\\b.ts', '/ws/a\\b.ts'],
    ['win32', 'C:\\ws\\a.ts', 'c:\\ws\\a.ts'],
    ['win32', 'c:/ws/a.ts', 'c:\\ws\\a.ts'],
    ['win32', 'file:///C:/ws/a.ts', 'c:\\ws\\a.ts'],
    ['win32', 'file:///c%3A/ws/a.ts', 'c:\\ws\\a.ts'],
    ['win32', 'file:///c%3a/ws/a%20b.ts', 'c:\\ws\\a b.ts'],
    ['win32', 'file:///C:\\ws\\a.ts', 'c:\\ws\\a.ts'],
    ['win32', 'file://C:/ws/a.ts', 'c:\\ws\\a.ts'],
    ['win32', 'file://c%3A\\ws\\a.ts', 'c:\\ws\\a.ts'],
    ['win32', 'D:\\', 'd:\\'],
  ];
  for (const [platform, name, path] of whole) {
    it(`are read: ${name} on ${platform}`, () => {
      assert.deepEqual(readFileName(name, platform), { kind: 'absolute', path });
    });
  }

  const relative: readonly (readonly [NodeJS.Platform, string, readonly string[]])[] = [
    ['linux', 'src/a.ts', ['src', 'a.ts']],
    ['linux', './src//a.ts', ['src', 'a.ts']],
    ['linux', 'C:\\ws', ['C:\\ws']],
    ['linux', '%2e%2e', ['%2e%2e']],
    ['linux', '.', []],
    ['win32', 'src\\a.ts', ['src', 'a.ts']],
    ['win32', '.\\src/a.ts', ['src', 'a.ts']],
  ];
  for (const [platform, name, segments] of relative) {
    it(`are relative: ${name} on ${platform}`, () => {
      assert.deepEqual(readFileName(name, platform), { kind: 'relative', segments });
    });
  }

  const refused: readonly (readonly [NodeJS.Platform, string])[] = [
    ['linux', ''],
    ['linux', 'a\ud83d.ts'],
    ['win32', 'c:\\ws\\\ude00'],
    ['linux', '../a'],
    ['linux', 'src/../../a'],
    ['linux', '/ws/../secret'],
    ['linux', 'file:///ws/../secret'],
    ['linux', 'file:///ws/%2e%2e/secret'],
    ['linux', 'file:///ws/%2E./secret'],
    ['linux', 'file:///ws/%2e%2e%2fsecret'],
    ['linux', 'file:///ws%2F..%2Fsecret'],
    ['linux', 'file:///ws/a%00.ts'],
    ['linux', '/ws/a\0.ts'],
    ['linux', 'file:///ws/%FF.ts'],
    ['linux', 'file:///ws/%C0%AE%C0%AE/secret'],
    ['linux', 'file://host/ws/a.ts'],
    ['linux', 'file://127.0.0.1/ws/a.ts'],
    ['linux', 'file:////host/share/a.ts'],
    ['linux', '//host/share/a.ts'],
    ['linux', 'file:a.ts'],
    ['linux', 'file:'],
    ['linux', 'https://example.com/a.ts'],
    ['linux', 'vscode-remote://wsl+ubuntu/ws/a.ts'],
    ['win32', '\\\\host\\share\\a.ts'],
    ['win32', '//host/share/a.ts'],
    ['win32', '\\\\?\\C:\\ws\\a.ts'],
    ['win32', '\\\\.\\PhysicalDrive0'],
    ['win32', 'file://host/share/a.ts'],
    ['win32', 'file:////host/share/a.ts'],
    ['win32', 'file:///%5C%5Chost%5Cshare'],
    ['win32', 'file:///c:/ws%5C..%5Csecret'],
    ['win32', 'C:\\ws\\..\\secret'],
    ['win32', 'C:/ws\\../secret'],
    ['win32', 'C:a.ts'],
    ['win32', '\\ws\\a.ts'],
    ['win32', '/ws/a.ts'],
    ['win32', 'C:\\ws\\.env::$DATA'],
    ['win32', 'C:\\ws\\a.txt:stream'],
    ['win32', 'C:\\ws\\.env.'],
    ['win32', 'C:\\ws\\.env '],
    ['win32', 'C:\\ws\\.. \\secret'],
    ['win32', 'C:\\ws\\nul'],
    ['win32', 'C:\\ws\\COM1.txt'],
    ['win32', 'src\\con'],
  ];
  for (const [platform, name] of refused) {
    it(`fault 65: are refused by their form: ${JSON.stringify(name)} on ${platform}`, () => {
      assert.throws(() => readFileName(name, platform), refusal);
    });
  }

  it('have one URI each, as the editor writes it', () => {
    assert.equal(fileUri('/ws/my file (1)#ä.ts', 'linux'), 'file:///ws/my%20file%20%281%29%23%C3%A4.ts');
    assert.equal(fileUri('C:\\ws\\a.ts', 'win32'), 'file:///c%3A/ws/a.ts');
    for (const path of ['/ws/a b/%20.ts', "/ws/it's!*(1).ts", '/ws/a:b@c+d,e;f=g&h$.ts', '/ws/日本.ts']) {
      assert.deepEqual(readFileName(fileUri(path, 'linux'), 'linux'), { kind: 'absolute', path });
    }
    assert.deepEqual(readFileName(fileUri('c:\\ws\\a b.ts', 'win32'), 'win32'), {
      kind: 'absolute',
      path: 'c:\\ws\\a b.ts',
    });
  });

  it('have one key each, by which the platform takes them for the same', () => {
    assert.equal(pathKey('/ws//a.ts', 'linux'), pathKey('/ws/a.ts', 'linux'));
    assert.equal(pathKey('/ws/', 'linux'), pathKey('/ws', 'linux'));
    assert.notEqual(pathKey('/ws/A.ts', 'linux'), pathKey('/ws/a.ts', 'linux'));
    assert.notEqual(pathKey('/ws/a\\b', 'linux'), pathKey('/ws/a/b', 'linux'));
    assert.equal(pathKey('/ws/ÉA.ts', 'darwin'), pathKey('/WS/éa.ts', 'darwin'));
    assert.equal(pathKey('C:\\Ws\\a.ts', 'win32'), pathKey('c:/ws/A.ts', 'win32'));
    assert.notEqual(pathKey('c:\\ws', 'win32'), pathKey('d:\\ws', 'win32'));
  });

  it('fault 65: lie below a folder by whole segments', () => {
    assert.deepEqual(segmentsBelow('/ws', '/ws/a/b', 'linux'), ['a', 'b']);
    assert.deepEqual(segmentsBelow('/ws/', '/ws', 'linux'), []);
    assert.deepEqual(segmentsBelow('/', '/ws', 'linux'), ['ws']);
    assert.equal(segmentsBelow('/ws', '/ws-secret/x', 'linux'), undefined);
    assert.equal(segmentsBelow('/ws', '/WS/x', 'linux'), undefined);
    assert.equal(segmentsBelow('/ws/a', '/ws', 'linux'), undefined);
    assert.deepEqual(segmentsBelow('/ws', '/WS/x', 'darwin'), ['x']);
    assert.deepEqual(segmentsBelow('C:\\Ws', 'c:\\wS\\x', 'win32'), ['x']);
    assert.equal(segmentsBelow('c:\\ws', 'd:\\ws\\x', 'win32'), undefined);
    assert.equal(segmentsBelow('c:\\ws', 'c:\\ws16-florisse\\x', 'win32'), undefined);
  });
});
