import { deepEqual, equal } from 'node:assert/strict';
import { shortReason } from '../../../../src/vscode/servers/failureReason';

const reason = (message: string, key = 'db') => shortReason({ code: 'SERVER_EXITED', message }, key);

describe('shortReason', () => {
  it('leaves the server’s name and what leads to the reason out', () => {
    deepEqual(
      [
        '"db" exited with code 1: DATABASE_URL is not set',
        '"db" exited with code 3. See its log, then start it again.',
        '"db" cannot start: the command "foo" was not found. Install it or write its full path. PATH searched: /bin',
        'db: no route to host',
        '"db" exited with code 1: Cannot find module ./x.js',
        'Server "db": no answer from http://127.0.0.1:9/mcp. Is it running?',
        'Server "db" refuses the "Authorization" header of its entry (HTTP 401). Correct it, or take it out to sign in.',
        'fetch failed',
      ].map((message) => reason(message)),
      [
        'DATABASE_URL is not set',
        'exited with code 3',
        'the command "foo" was not found',
        'no route to host',
        'Cannot find module ./x.js',
        'no answer from http://127.0.0.1:9/mcp',
        'refuses the "Authorization" header of its entry (HTTP 401)',
        'fetch failed',
      ],
    );
  });

  it('takes keys as they are, whatever characters they have', () => {
    equal(reason('"a.*+b" exited with code 1: no', 'a.*+b'), 'no');
    equal(reason('"other" exited with code 1: no', 'db'), '"other" exited with code 1: no');
  });

  it('is one plain line of bounded length', () => {
    equal(reason('"db" exited with code 1: a\nb\u202Ec'), 'a b c');
    equal(reason(`"db" exited with code 1: ${'x'.repeat(500)}`).length, 80);
  });
});
