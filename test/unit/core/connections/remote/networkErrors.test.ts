import assert from 'node:assert/strict';
import { toNetworkError } from '../../../../../src/core/connections/remote/networkErrors';

const URL_WITH_SECRETS = new URL('https://user:pass@host.example:8443/mcp?key=secret');
const coded = (code: string): Error => Object.assign(new Error('low level'), { code });

describe('toNetworkError', () => {
  const cases: [Error, string, RegExp][] = [
    [
      coded('SELF_SIGNED_CERT_IN_CHAIN'),
      'CONNECT_FAILED',
      /the certificate of host\.example:8443 comes from a CA that is not trusted .*NODE_EXTRA_CA_CERTS/,
    ],
    [coded('ERR_TLS_CERT_ALTNAME_INVALID'), 'CONNECT_FAILED', /certificate of .* is for another host/],
    [coded('CERT_HAS_EXPIRED'), 'CONNECT_FAILED', /has expired/],
    [coded('EPROTO'), 'CONNECT_FAILED', /does not speak TLS/],
    [coded('HPE_INVALID_CONSTANT'), 'CONNECT_FAILED', /does not answer in HTTP/],
    [coded('HPE_INVALID_HEADER_TOKEN'), 'CONNECT_FAILED', /answers in broken HTTP \(HPE_INVALID_HEADER_TOKEN\)/],
    [coded('ENOTFOUND'), 'CONNECT_FAILED', /cannot be found/],
    [coded('ECONNRESET'), 'CONNECTION_LOST', /closed the connection/],
    [new AggregateError([coded('ECONNREFUSED'), coded('ENETUNREACH')]), 'CONNECT_FAILED', /nothing listens/],
    [new Error('who knows'), 'CONNECT_FAILED', /cannot be reached \(unknown error\)/],
  ];
  for (const [error, code, sentence] of cases) {
    it(`fault 37: says what ${'code' in error ? String(error.code) : error.constructor.name} means, and no secret`, () => {
      const shown = toNetworkError(error, URL_WITH_SECRETS, 'srv');
      assert.equal(shown.code, code);
      assert.equal(shown.server, 'srv');
      assert.match(shown.message, sentence);
      assert.doesNotMatch(shown.message, /pass|secret/);
    });
  }
});
