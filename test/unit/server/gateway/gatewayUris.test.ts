import assert from 'node:assert/strict';
import { gatewayTemplate, gatewayUri, readGatewayUri } from '../../../../src/server/gateway/gatewayUris';

describe('URIs at the gateway', () => {
  for (const uri of [
    'file:///a%20b/c#d?e',
    'memo:note',
    'db://Host/../x?y=1&z=%2F',
    '=odd',
    'a b',
    'x://\ud83d/b',
    'https://xn--bcher-kva.example/ü',
    '%',
  ]) {
    for (const key of ['files', 'a/b', 'ä b', 'k@.mcp.json']) {
      it(`hold ${uri} of ${key} byte for byte`, () => {
        assert.deepEqual(readGatewayUri(gatewayUri(key, uri)), { key, uri });
      });
    }
  }

  it('are of one scheme, with the key in front', () => {
    assert.equal(gatewayUri('files', 'file:///a b'), 'portico://files/file%3A%2F%2F%2Fa%20b');
  });

  it('expand in templates to what the original expands to', () => {
    const template = gatewayTemplate('files', 'file:///{+path}?q={q}');
    assert.equal(template, 'portico://files/=file:///{+path}?q={q}');
    const expanded = template.replace('{+path}', 'a/b%20c').replace('{q}', '%2F');
    assert.deepEqual(readGatewayUri(expanded), { key: 'files', uri: 'file:///a/b%20c?q=%2F' });
    assert.deepEqual(readGatewayUri(template), { key: 'files', uri: 'file:///{+path}?q={q}' });
  });

  for (const text of [
    '',
    'file:///a',
    'portico://files',
    'portico://files/',
    'portico://files/=',
    'portico://%/a',
    'portico://f/%zz',
  ]) {
    it(`are not read from ${JSON.stringify(text)}`, () => {
      assert.equal(readGatewayUri(text), undefined);
    });
  }
});
