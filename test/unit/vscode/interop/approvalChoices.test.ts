import assert from 'node:assert/strict';
import { objectInput, textInput } from '../../../../src/vscode/interop/inputs';
import { answerText, readAnswer } from '../../../../src/vscode/interop/approvalChoices';

describe('what comes from outside', () => {
  it('is an answer to an approval, or nothing', () => {
    assert.deepEqual(readAnswer({ kind: 'deny', more: 1 }), { kind: 'deny' });
    const once = { kind: 'allow', duration: 'once', scope: 'tool' };
    assert.deepEqual(readAnswer(once), once);
    for (const odd of [
      undefined,
      'allow',
      { kind: 'allow' },
      { ...once, duration: 'for ever' },
      { ...once, scope: 'all' },
    ]) {
      assert.equal(readAnswer(odd), undefined);
    }
  });

  it('is said in the words of the buttons', () => {
    const allow = (duration: 'once' | 'session' | 'always', scope: 'tool' | 'server') =>
      answerText({ kind: 'allow', duration, scope }, 'files');
    assert.deepEqual(
      [answerText({ kind: 'deny' }, 'files'), allow('once', 'tool'), allow('session', 'tool'), allow('always', 'tool')],
      ['Denied', 'Allowed once', 'Allowed in this session', 'Tool always allowed'],
    );
    assert.deepEqual(
      [allow('session', 'server'), allow('always', 'server')],
      ['All tools of files allowed in this session', 'All tools of files allowed always'],
    );
  });

  it('is a typed input of a broker tool, or an error that says what is wrong', () => {
    assert.equal(textInput({ name: 'a' }, 'name'), 'a');
    assert.throws(() => textInput({ name: 1 }, 'name'), { code: 'ARGUMENTS_INVALID' });
    assert.throws(() => textInput(null, 'name'), { code: 'ARGUMENTS_INVALID' });
    assert.deepEqual(objectInput({}, 'arguments'), {});
    assert.deepEqual(objectInput({ arguments: '{"a":1}' }, 'arguments'), { a: 1 });
    assert.throws(() => objectInput({ arguments: [1] }, 'arguments'), { code: 'ARGUMENTS_INVALID' });
  });
});
