import assert from 'node:assert/strict';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isSamePath, isWithin, toRootUri } from '../../../../src/core/clientFeatures/rootPaths';

type Platform = 'linux' | 'darwin' | 'win32';

describe('paths of roots', () => {
  const uris: readonly (readonly [Platform, string, string])[] = [
    ['win32', 'C:\\My Project', 'file:///C:/My%20Project'],
    ['win32', 'c:\\a#b\\100%41', 'file:///c:/a%23b/100%2541'],
    ['win32', 'D:\\', 'file:///D:/'],
    ['win32', 'D:\\ünï 漢', 'file:///D:/%C3%BCn%C3%AF%20%E6%BC%A2'],
    ['win32', '\\\\srv\\share\\x', 'file://srv/share/x'],
    ['win32', '\\\\srv\\share\\a b', 'file://srv/share/a%20b'],
    ['linux', '/', 'file:///'],
    ['linux', '/tmp/a#b', 'file:///tmp/a%23b'],
    ['linux', '/tmp/a?b', 'file:///tmp/a%3Fb'],
    ['linux', '/tmp/100%41', 'file:///tmp/100%2541'],
    ['linux', '/tmp/ünï 漢', 'file:///tmp/%C3%BCn%C3%AF%20%E6%BC%A2'],
    ['linux', '/tmp/a\\b', 'file:///tmp/a%5Cb'],
    ['linux', '/tmp/a\nb', 'file:///tmp/a%0Ab'],
    ['linux', '/tmp/C:/x', 'file:///tmp/C:/x'],
    ['darwin', '/Users/me/Icon\r', 'file:///Users/me/Icon%0D'],
  ];
  for (const [platform, path, uri] of uris) {
    it(`fault 54: ${JSON.stringify(path)} on ${platform} becomes ${uri} and back`, () => {
      const windows = platform === 'win32';
      assert.equal(toRootUri(path, platform), uri);
      assert.equal(fileURLToPath(uri, { windows }), path);
      if (path !== 'D:\\') {
        assert.equal(uri, pathToFileURL(path, { windows }).href);
      }
    });
  }

  it('lie in a directory by the rules of the platform', () => {
    const cases: readonly (readonly [Platform, string, string, boolean])[] = [
      ['linux', '/a/b', '/a', true],
      ['linux', '/a', '/a', true],
      ['linux', '/ab', '/a', false],
      ['linux', '/a', '/a/b', false],
      ['linux', '/A/b', '/a', false],
      ['linux', '/a/..b', '/a', true],
      ['linux', '/a/b', '/', true],
      ['darwin', '/A/b', '/a', true],
      ['darwin', '/Cafe\u0301/b', '/Café', true],
      ['win32', 'C:\\A\\b', 'c:\\a', true],
      ['win32', 'D:\\a\\b', 'C:\\a', false],
      ['win32', '\\\\srv\\share\\x', '\\\\SRV\\share', true],
      ['win32', '\\\\srv\\share\\x', 'C:\\', false],
    ];
    for (const [platform, path, directory, expected] of cases) {
      assert.equal(isWithin(path, directory, platform), expected, `${path} in ${directory} on ${platform}`);
    }
    assert.equal(isSamePath('c:\\A', 'C:\\a', 'win32'), true);
    assert.equal(isSamePath('/A', '/a', 'linux'), false);
  });
});
