import assert from 'node:assert/strict';
import { readWebAddress, type WebAddress } from '../../../src/base/webAddress';

function read(text: unknown): WebAddress {
  const address = readWebAddress(text);
  assert.ok(!('refused' in address), 'refused' in address ? address.refused : '');
  return address;
}

describe('web addresses that somebody else named', () => {
  it('are opened as they are shown, with the host apart', () => {
    for (const [text, before, host, after] of [
      ['https://a.example/x?q=%2F&r=a+b#%20', 'https://', 'a.example', '/x?q=%2F&r=a+b#%20'],
      ['https://a.example@b.example/a.example@c', 'https://a.example@', 'b.example', '/a.example@c'],
      ['https://u:p%40w@b.example:8443/@x', 'https://u:p%40w@', 'b.example:8443', '/@x'],
      ['HTTPS://A.Example', 'https://', 'a.example', '/'],
      ['https:\\\\evil.example\\@a.example', 'https://', 'evil.example', '/@a.example'],
      ['http://[::1]:3000/', 'http://', '[::1]:3000', '/'],
    ] as const) {
      const address = read(text);
      assert.deepEqual([address.before, address.host, address.after], [before, host, after]);
      assert.equal(address.url, before + host + after);
    }
  });

  it('come without a warning where they are plain', () => {
    assert.deepEqual(read('https://bank.example/connect?id=1').warnings, []);
    assert.deepEqual(read('https://bank.example:443/').warnings, []);
  });

  for (const [text, warning] of [
    ['https://xn--80ak6aa92e.com/', /reads “аррӏе\.com”, but is xn--80ak6aa92e\.com/],
    ['https://mail.аррӏе.com/', /but is mail\.xn--80ak6aa92e\.com/],
    ['https://ｇｏｏｇｌｅ.com.xn--p1ai/', /reads “google\.com\.рф”/],
    ['https://google.com@evil.example/', /can pass for a host\. The page is at evil\.example\./],
    ['https://:x@evil.example/', /The page is at evil\.example\./],
    ['https://a.example:8443/', /It uses port 8443/],
    ['https://203.0.113.5/', /a number instead of a name/],
    ['https://0xcb007105/', /a number instead of a name/],
    ['https://[2001:db8::1]/', /a number instead of a name/],
    ['http://localhost:3000/', /on this computer/],
    ['http://127.9.9.9/', /on this computer/],
    ['http://2130706433/', /on this computer/],
    ['https://app.localhost/', /on this computer/],
  ] as const) {
    it(`come with a warning: ${text}`, () => {
      assert.match(read(text).warnings.join('\n'), warning);
    });
  }

  for (const text of [
    undefined,
    7,
    '',
    'javascript:alert(1)',
    'JavaScript://a.example/%0aalert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'vbscript:x',
    'vscode://a.b/c',
    'command:workbench.action.quit',
    'blob:https://a.example/x',
    'ftp://a.example/',
    'http://a.example/',
    'http://localhost.a.example/',
    'http://127.0.0.1.a.example/',
    'http://[::ffff:127.0.0.1]/',
    '//a.example/x',
    '/x',
    'a.example',
    '--incognito',
    '-x https://a.example',
    'https://a.example/\nhttps://b.example/',
    'https://a.example/\r',
    ' https://a.example/',
    'https://a.example/ b',
    'https://a.exa\u00admple/',
    'https://a.example/\u202egnp.exe',
    'https://a.example/\u200b',
    'https://',
    'https://a b/',
    `https://a.example/${'x'.repeat(8_000)}`,
  ]) {
    it(`are refused with a reason: ${JSON.stringify(text)?.slice(0, 60)}`, () => {
      const address = readWebAddress(text);
      assert.ok('refused' in address && address.refused.length > 5);
    });
  }
});
