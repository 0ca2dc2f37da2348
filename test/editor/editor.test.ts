import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { extensionId } from '../../src/ids';

describe('the editor', () => {
  it('has the extension and the scripted model', async () => {
    const ids = vscode.extensions.all.map(({ id }) => id).filter((id) => !/^vscode\.|^ms-vscode/.test(id));
    assert.deepEqual(
      [extensionId, 'portico-test.scripted-model'].filter((id) => !ids.includes(id)),
      [],
      ids.join(),
    );
    const models = await vscode.lm.selectChatModels({ vendor: 'scripted' });
    assert.deepEqual(
      models.map(({ id }) => id),
      ['scripted'],
    );
  });
});
