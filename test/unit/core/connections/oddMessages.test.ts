import assert from 'node:assert/strict';
import { PorticoError } from '../../../../src/base/errors';
import { AwaitedReplies } from '../../../../src/core/connections/awaitedReplies';
import { refusalOf } from '../../../../src/core/connections/readAsked';
import { readIncoming } from '../../../../src/core/connections/readIncoming';
import { readReply } from '../../../../src/core/connections/readReply';
import { StrayOutput } from '../../../../src/core/connections/strayOutput';

describe('readReply', () => {
  for (const reply of [
    { result: [1, 2] },
    { result: 'hello' },
    { result: null },
    { result: 7 },
    { error: [1] },
    { error: {} },
    { error: { code: 1, message: 'm' }, result: {} },
    {},
  ]) {
    it(`makes ${JSON.stringify(reply)} an error that quotes it`, () => {
      const read = readReply<unknown>({ jsonrpc: '2.0', id: 3, ...reply }, 'srv') as {
        id: number;
        error: { data: unknown };
      };
      assert.equal(read.id, 3);
      const { data } = read.error;
      assert.equal(PorticoError.is(data, 'REPLY_INVALID') && data.message.endsWith(JSON.stringify(reply)), true);
    });
  }

  it('leaves good replies, requests and notifications as they are', () => {
    for (const message of [
      { id: 1, result: {} },
      { id: 1, error: { code: 1, message: 'm' } },
      { id: 1, method: 'a' },
    ]) {
      assert.equal(readReply(message, 'srv'), message);
    }
  });

  for (const [sent, read] of [
    [{ result: { a: 1 }, error: null }, { result: { a: 1 } }],
    [{ result: { a: 1 }, error: false }, { result: { a: 1 } }],
    [{ result: null, error: { code: -1, message: 'why' } }, { error: { code: -1, message: 'why' } }],
    [{ result: { a: 1, _meta: null } }, { result: { a: 1 } }],
    [{ result: { a: 1, _meta: ['x'] } }, { result: { a: 1 } }],
    [{ result: { _meta: { b: 2 } }, took: '3 ms' }, { result: { _meta: { b: 2 } } }],
    [{ method: 'tools/call', result: { a: 1 } }, { result: { a: 1 } }],
    [{ error: 'oops' }, { error: { code: -32603, message: 'oops' } }],
    [{ error: { code: 1.5, message: 'm', data: 1 } }, { error: { code: -32603, message: 'm', data: 1 } }],
    [{ error: { code: 1e21, message: 'm' } }, { error: { code: -32603, message: 'm' } }],
    [{ error: { message: 'm' } }, { error: { code: -32603, message: 'm' } }],
    [{ error: { code: '-32000', message: 'm' } }, { error: { code: -32000, message: 'm' } }],
    [{ error: { code: 'E_BAD', message: 'm' } }, { error: { code: -32603, message: 'm (E_BAD)' } }],
    [{ error: { code: -32000 } }, { error: { code: -32000, message: 'It gave no reason but the code -32000.' } }],
    [{ error: { code: 1, message: '' } }, { error: { code: 1, message: 'It gave no reason but the code 1.' } }],
    [{ error: { code: 5, message: { a: 1 } } }, { error: { code: 5, message: '{"a":1}' } }],
  ] as const) {
    it(`takes ${JSON.stringify(sent)} for what it means`, () => {
      assert.deepEqual(readIncoming({ jsonrpc: '2.0', id: 3, ...sent }, 'srv'), { jsonrpc: '2.0', id: 3, ...read });
    });
  }
});

describe('readAsked', () => {
  const note = 'notifications/tools/list_changed';
  for (const [sent, read] of [
    [{ method: note, params: null }, { method: note }],
    [{ method: note, params: 'x' }, { method: note }],
    [{ method: note, id: null }, { method: note }],
    [
      { method: note, params: { a: 1, _meta: null } },
      { method: note, params: { a: 1 } },
    ],
    [{ method: note, at: 5 }, { method: note }],
    [
      { id: 1, method: 'roots/list', params: [] },
      { id: 1, method: 'roots/list' },
    ],
    [
      { id: 1, method: 'ping', params: { _meta: { progressToken: null, b: 2 } } },
      { id: 1, method: 'ping', params: { _meta: { b: 2 } } },
    ],
  ] as const) {
    it(`takes ${JSON.stringify(sent)} for what it means`, () => {
      assert.deepEqual(readIncoming({ jsonrpc: '2.0', ...sent }, 'srv'), { jsonrpc: '2.0', ...read });
    });
  }

  it('refuses requests that are none, with their id as far as there is one', () => {
    const refused = (message: object): unknown[] => {
      const { id, error } = refusalOf(message) ?? {};
      return [id, error?.code];
    };
    assert.deepEqual(refused({ id: 1.5, method: 'ping' }), [1.5, -32600]);
    assert.deepEqual(refused({ id: 2 ** 53, method: 'ping' }), [2 ** 53, -32600]);
    for (const id of [null, true, {}, [1]]) {
      assert.deepEqual(refused({ id, method: 'ping' }), [null, -32600]);
    }
    assert.deepEqual(refused({ id: 'a', method: 5 }), ['a', -32600]);
    assert.deepEqual(refused({ id: 1, method: note }), [1, -32600]);
    assert.deepEqual(refused({ id: 1, method: 'ping', params: 'x' }), [1, -32602]);
    for (const good of [
      { id: 0, method: 'ping' },
      { id: '', method: 'ping', params: {} },
      { method: note },
      { id: 1, result: {} },
    ]) {
      assert.equal(refusalOf(good), undefined);
    }
  });
});

describe('AwaitedReplies', () => {
  const refusal = { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } };
  const request = (id: number, method = 'tools/call') => ({ jsonrpc: '2.0', id, method }) as const;
  let awaited: AwaitedReplies;
  beforeEach(() => {
    awaited = new AwaitedReplies('srv');
  });

  it('gives an error without an id to the only request that waits', () => {
    awaited.sent(request(1));
    awaited.sent(request(2));
    assert.equal(awaited.claim(refusal), undefined);
    const reply = { jsonrpc: '2.0', id: '1', result: {} };
    assert.equal(awaited.claim(reply), reply);
    assert.deepEqual(awaited.claim(refusal), { ...refusal, id: 2 });
    const taken = { ...refusal, id: 2 };
    assert.deepEqual([awaited.isAwaited(2), awaited.claim(taken), awaited.isAwaited(2)], [true, taken, false]);
    assert.equal(awaited.claim(refusal), undefined);
  });

  it('takes it for the answer to a notification where one was sent since', () => {
    awaited.sent({ jsonrpc: '2.0', method: 'notifications/initialized' });
    awaited.sent(request(1));
    assert.equal(awaited.claim(refusal), undefined);
    assert.deepEqual(awaited.claim(refusal), { ...refusal, id: 1 });
  });

  it('does not wait for what was cancelled, or asked before the handshake', () => {
    awaited.sent(request(1, 'server/discover'));
    awaited.sent(request(2, 'initialize'));
    awaited.claim({ ...refusal, id: 2 });
    awaited.sent(request(3));
    awaited.sent({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 3 } });
    awaited.sent(request(4));
    assert.equal(awaited.claim(refusal), undefined);
    assert.deepEqual(awaited.claim(refusal), { ...refusal, id: 4 });
  });

  it('makes a result without a usable id an error of the only request that waits', () => {
    awaited.sent(request(7));
    const claimed = awaited.claim({ jsonrpc: '2.0', id: { n: 7 }, result: { a: 1 } }) as unknown;
    const { id, error } = claimed as { id: unknown; error: { data: unknown } };
    assert.equal(id, 7);
    assert.equal(
      PorticoError.is(error.data, 'REPLY_INVALID') && error.data.message,
      '"srv" answered with a result that does not say which request it is for: {"jsonrpc":"2.0","id":{"n":7},"result":{"a":1}}',
    );
  });
});

describe('StrayOutput', () => {
  const json = '{"id":1,"result":{}}';
  for (const [text, reason] of [
    [[...'{"jsonrpc"'].join('\0'), /^It writes UTF-16 instead of UTF-8\..* It wrote: \{ " j s/],
    ['Content-Length: 52', /^It puts headers before its messages.* It wrote: Content-Length: 52$/],
    ['"jsonrpc": "2.0",', /^It spreads a message over several lines\./],
    [json, /^It leaves out "jsonrpc": "2\.0"\. Check its command.* It wrote: \{"id":1,"result":\{\}\}$/],
    ['{"jsonrpc":"1.0","method":"a"}', /^It leaves out "jsonrpc": "2\.0"/],
    ['{"jsonrpc":"2.0","id":1,"result":{"v":NaN}}', /^It wrote a message that is not valid JSON\./],
  ] as const) {
    it(`explains ${JSON.stringify(text)}`, () => {
      const stray = new StrayOutput();
      stray.add('> start');
      stray.add(text);
      stray.add('later');
      assert.match(stray.reason('') ?? '', reason);
      assert.equal(stray.last, 'later');
    });
  }

  it('says nothing of ordinary text, and of a message that has not ended says so', () => {
    const stray = new StrayOutput();
    assert.equal(stray.add(`\u001b[31mred\u001b[0m${'x'.repeat(300)}`), `red${'x'.repeat(197)}…`);
    stray.add('{"level":"info","method":"GET","msg":"x"}');
    assert.equal(stray.reason('half a line'), undefined);
    assert.match(stray.reason('{"jsonrpc":"2.0"}') ?? '', /^It does not end its message with a newline\./);
  });
});
