import assert from 'node:assert/strict';
import type { CreateMessageRequestParams } from '@modelcontextprotocol/client';
import { readSampling } from '../../../../src/core/clientFeatures/readSampling';

const user = (...content: unknown[]) => ({ role: 'user', content });
const assistant = (...content: unknown[]) => ({ role: 'assistant', content });
const text = (value: string) => ({ type: 'text', text: value });
const use = (id: string) => ({ type: 'tool_use', id, name: 'look', input: {} });
const result = (toolUseId: string) => ({ type: 'tool_result', toolUseId, content: [text('seen')] });

const read = (params: object): CreateMessageRequestParams => {
  const outcome = readSampling({ messages: [user(text('Hi'))], maxTokens: 10, ...params });
  assert.ok('value' in outcome, JSON.stringify(outcome));
  return outcome.value;
};
const refusal = (params: object): string | undefined => {
  const outcome = readSampling({ messages: [user(text('Hi'))], maxTokens: 10, ...params });
  return outcome.issues?.[0]?.message;
};

describe('a request for a model', () => {
  it('has its contents as lists, whichever form they came in', () => {
    const messages = [
      { role: 'user', content: text('a') },
      assistant(text('b'), text('c')),
      { role: 'user', content: 'd' },
    ];
    assert.deepEqual(read({ messages }).messages, [user(text('a')), assistant(text('b'), text('c')), user(text('d'))]);
  });

  it('takes pictures and sounds', () => {
    const content = [
      { type: 'image', data: 'AA==', mimeType: 'image/png' },
      { type: 'audio', data: 'AA==', mimeType: 'audio/wav' },
    ];
    assert.deepEqual(read({ messages: [user(...content)] }).messages, [user(...content)]);
  });

  it('fault 45: has a number of tokens above 0', () => {
    for (const maxTokens of [0, -1, 1.5, Number.NaN, '10', null, undefined]) {
      assert.match(refusal({ maxTokens }) ?? '', /^maxTokens must be a whole number above 0/, String(maxTokens));
    }
  });

  it('fault 45: has a result for every use of a tool, in the message after it and with nothing else', () => {
    const loop = [user(text('Hi')), assistant(use('1'), use('2')), user(result('2'), result('1'))];
    assert.deepEqual(read({ messages: [...loop, assistant(text('Done'))] }).messages.slice(0, 3), loop);
    const missing = 'Tool result missing in request';
    const cases: readonly (readonly [string, readonly object[]])[] = [
      [missing, [assistant(use('1'), use('2')), user(result('1')), assistant(text('Done'))]],
      [missing, [assistant(use('1'))]],
      [missing, [assistant(use('1')), user(text('Well?'))]],
      [missing, [assistant(use('1')), assistant(text('Well?')), user(result('1'))]],
      ['Tool results mixed with other content', [assistant(use('1')), user(text('Here:'), result('1'))]],
      ['Tool result without its tool use in the message before', [user(result('1'))]],
      ['Tool result without its tool use in the message before', [assistant(use('1')), user(result('1'), result('9'))]],
      ['Tool uses are said by the assistant, tool results by the user', [user(use('1')), user(result('1'))]],
    ];
    for (const [reason, messages] of cases) {
      assert.equal(refusal({ messages }), reason, JSON.stringify(messages));
    }
  });

  it('is refused where a model would get less than the server sent', () => {
    const odd = [{ type: 'hologram' }, { type: 'image', data: 'AA==' }, { type: 'text' }, null, 7];
    for (const content of odd) {
      assert.match(refusal({ messages: [user(content)] }) ?? '', /^a content of the type .* cannot be read/);
    }
    assert.match(refusal({ messages: [{ role: 'system', content: text('x') }] }) ?? '', /"system"/);
    assert.equal(refusal({ messages: [] }), 'messages is empty');
    assert.equal(refusal({ messages: 'Hi' }), 'messages must be a list');
    assert.match(refusal({ tools: [{ description: 'nameless' }] }) ?? '', /^a tool needs a name/);
    assert.equal(refusal({ tools: {} }), 'tools must be a list');
    assert.ok(readSampling(undefined).issues);
  });

  it('loses advice that is odd, and context that was not declared', () => {
    const { modelPreferences, ...rest } = read({
      includeContext: 'allServers',
      metadata: { provider: 1 },
      temperature: 'hot',
      stopSequences: ['END', '', 5],
      systemPrompt: '',
      modelPreferences: { hints: [{ name: 'x' }, {}, null, { name: ' ' }], speedPriority: 7, costPriority: 'low' },
    });
    assert.deepEqual(rest, { messages: [user(text('Hi'))], maxTokens: 10, stopSequences: ['END'] });
    assert.deepEqual(modelPreferences, {
      hints: [{ name: 'x' }],
      costPriority: 0,
      speedPriority: 1,
      intelligencePriority: 0,
    });
  });

  it('has a way to choose tools only where there are tools', () => {
    assert.equal(read({ tools: [], toolChoice: { mode: 'required' } }).toolChoice, undefined);
    const tools = [{ name: 'look' }];
    assert.deepEqual(read({ tools }).toolChoice, { mode: 'auto' });
    assert.deepEqual(read({ tools }).tools, [{ name: 'look', inputSchema: { type: 'object' } }]);
    assert.deepEqual(read({ tools, toolChoice: { mode: 'none' } }).toolChoice, { mode: 'none' });
    assert.deepEqual(read({ tools, toolChoice: { mode: 'maybe' } }).toolChoice, { mode: 'auto' });
  });
});
