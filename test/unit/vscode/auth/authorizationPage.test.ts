import assert from 'node:assert/strict';
import { PorticoError } from '../../../../src/base/errors';
import type { ServerDefinition } from '../../../../src/core/config/configTypes';
import { authorizationPage, pageQuestion } from '../../../../src/vscode/auth/authorizationPage';

const server = (url = 'https://mcp.test/mcp'): ServerDefinition =>
  ({ key: 'files', launch: { type: 'http', url, headers: {} } }) as unknown as ServerDefinition;
const question = (page: string, of = server()) =>
  pageQuestion(of, authorizationPage(of, page), 'http://127.0.0.1:4711/auth?x=1');

describe('the question before a browser is opened', () => {
  it('names the server, the host of the page, and where it comes back to', () => {
    assert.deepEqual(question('https://as.test/authorize?client_id=a&state=secret'), {
      message: 'Sign in to "files" at as.test?',
      detail: [
        'Your browser opens a page of as.test. What you type there stays there; Portico gets the permission that it grants.',
        '',
        'Page: https://as.test/authorize',
        'Server: https://mcp.test/mcp',
        'Comes back to: http://127.0.0.1:4711/auth',
      ].join('\n'),
    });
  });

  it('warns of hosts that pass for others, of user names, and of servers without encryption', () => {
    assert.match(question('https://xn--pple-43d.com/authorize').detail, /letters that can pass for others/);
    const disguised = question('https://as.test@evil.test/authorize');
    assert.equal(disguised.message, 'Sign in to "files" at evil.test?');
    assert.match(disguised.detail, /The page is at evil\.test\.$/m);
    assert.match(question('https://as.test/', server('http://mcp.test/mcp')).detail, /The server is reached by http/);
    assert.doesNotMatch(question('https://as.test/', server('http://127.0.0.1:1/mcp')).detail, /reached by http/);
  });

  it('refuses what no browser should be given', () => {
    for (const url of [
      'javascript:alert(1)',
      'file:///etc/passwd',
      'data:text/html,x',
      'vscode://a.b/c',
      'command:workbench.action.quit',
      '--new-window',
      '-a Calculator',
      '\\\\server\\share',
      'https://as.test/a\nb',
      'https://as.test/\u202eb',
      'http://as.test/authorize',
      'ftp://as.test/',
      '',
    ]) {
      assert.throws(
        () => authorizationPage(server(), url),
        (error: unknown) => PorticoError.is(error, 'AUTH_FAILED') && error.message.startsWith('files: '),
        url,
      );
    }
    assert.equal(authorizationPage(server(), 'http://127.0.0.1:4711/authorize').host, '127.0.0.1:4711');
  });

  it('opens an address as it is, parameters encoded once', () => {
    const url =
      'https://as.test/authorize?redirect_uri=http%3A%2F%2F127.0.0.1%3A1%2Fauth%3Fa%3D1%26b%3D2&scope=a+b%2Bc';
    assert.equal(authorizationPage(server(), url).url, url);
  });
});
