import assert from 'node:assert/strict';
import type { ConfigSource } from '../../../../src/core/config/configTypes';
import { trustName } from '../../../../src/vscode/interop/trustName';

describe('trustName', () => {
  const source = (scope: ConfigSource['scope']): ConfigSource => ({
    id: 's',
    kind: 'settings',
    scope,
    label: 'settings',
  });
  const consentDigest = '0123456789abcdef';

  it('is the plain name in the settings of the person, and bound to what runs in those of a folder', () => {
    assert.equal(trustName({ id: 'files', source: source('user'), consentDigest }), 'files');
    assert.equal(trustName({ id: 'files', source: source('workspace'), consentDigest }), 'files#0123456789ab');
    assert.equal(trustName({ id: 'files', source: source('folder'), consentDigest }), 'files#0123456789ab');
  });
});
