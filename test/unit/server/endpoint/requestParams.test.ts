import assert from 'node:assert/strict';
import { initialize, rpc } from '../gatewayHarness';
import type { Answer } from '../socketFetch';
import { EndpointHarness } from './endpointHarness';

const version = 'io.modelcontextprotocol/protocolVersion';
const envelope = {
  _meta: {
    [version]: '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  },
};
const errorOf = ({ text }: Answer): { readonly code: number; readonly message: string } =>
  (JSON.parse(text) as { error: { code: number; message: string } }).error;

/** Params that are none, and what is said of them. */
const wrong: readonly (readonly [method: string, params: object, said: RegExp])[] = [
  ['resources/read', {}, /^Invalid params of resources\/read: uri: expected string, received undefined\.$/],
  ['resources/read', { uri: 5 }, /uri: expected string, received number\.$/],
  ['resources/read', { uri: `file:///${'a/'.repeat(40_000)}` }, /uri: it has more than 65536 characters\.$/],
  ['prompts/get', {}, /name: expected string/],
  ['prompts/get', { name: 'p', arguments: { x: 1 } }, /arguments\.x: expected string, received number\.$/],
  ['tools/call', { name: ['who'] }, /name: expected string, received array\.$/],
  ['tools/list', { cursor: 5 }, /cursor: expected string, received number\.$/],
  ['resources/list', { cursor: 5 }, /cursor: expected string/],
  ['prompts/list', { cursor: [] }, /cursor: expected string/],
  ['completion/complete', {}, /ref: /],
  [
    'completion/complete',
    { ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value: 'x'.repeat(70_000) } },
    /argument\.value: it has more than 65536 characters\.$/,
  ],
];

describe('params of requests', () => {
  let harness: EndpointHarness;
  before(async () => {
    harness = await EndpointHarness.open();
    harness.offers.onServer = (server) => {
      server.registerCapabilities({ completions: {}, logging: {} });
      server.setRequestHandler('resources/read', async () => ({ contents: [] }));
      server.setRequestHandler('prompts/get', async () => ({ messages: [] }));
      server.setRequestHandler('completion/complete', async () => ({ completion: { values: [] } }));
      server.setRequestHandler('logging/setLevel', async () => ({}));
    };
  });
  after(() => harness.dispose());

  const session = async (): Promise<Record<string, string>> => {
    const answer = await harness.post('one', initialize('2025-03-26'));
    return { 'mcp-session-id': String(answer.headers['mcp-session-id']) };
  };

  const check = (answer: Answer, said: RegExp): void => {
    const { code, message } = errorOf(answer);
    assert.deepEqual([answer.status, code], [200, -32_602]);
    assert.match(message, said);
    assert.ok(message.length < 1_000, message);
    assert.equal((JSON.parse(answer.text) as { id: unknown }).id, 7);
  };

  it('are refused as invalid params by a sentence in the session era', async () => {
    const headers = await session();
    const more = [
      ['resources/subscribe', {}, /uri: expected string/],
      ['resources/unsubscribe', { uri: 1 }, /uri: expected string/],
      ['logging/setLevel', { level: 'loud' }, /level: /],
    ] as const;
    for (const [method, params, said] of [...wrong, ...more]) {
      check(await harness.post('one', rpc(method, params), headers), said);
    }
  });

  it('are refused as invalid params by a sentence in the stateless era', async () => {
    for (const [method, params, said] of wrong) {
      const name = (params as { uri?: unknown; name?: unknown }).uri ?? (params as { name?: unknown }).name;
      const headers = {
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...(typeof name === 'string' && name.length < 1_000 ? { 'mcp-name': name } : {}),
      };
      const answer = await harness.post('one', rpc(method, { ...params, ...envelope }), headers);
      // A name that is none cannot stand in the header, which is looked at first.
      if (answer.status === 200) {
        check(answer, said);
      } else {
        assert.ok(errorOf(answer).message.length < 1_000);
        assert.notEqual(errorOf(answer).code, -32_603);
      }
    }
  });

  it('count the same for all methods that nobody knows, those too that every object has something under', async () => {
    const identity = {
      ...envelope._meta,
      'io.modelcontextprotocol/clientInfo': { name: 'n'.repeat(2_000), version: '1' },
    };
    for (const method of ['unknown/x', 'constructor/x', '__proto__']) {
      const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method };
      const answer = await harness.post('one', rpc(method, { _meta: identity }), headers);
      assert.deepEqual([method, answer.status, errorOf(answer).code], [method, 200, -32_602]);
    }
  });

  it('make no difference to methods that the stateless era has removed', async () => {
    for (const method of ['initialize', 'logging/setLevel', 'resources/subscribe', 'resources/unsubscribe']) {
      const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method };
      const answer = await harness.post('one', rpc(method, envelope), headers);
      assert.deepEqual([method, answer.status, errorOf(answer).code], [method, 404, -32_601]);
    }
  });

  it('are refused in initialize too, which opens no session then', async () => {
    const before = harness.endpoint.sessionCount;
    for (const params of [undefined, {}, { protocolVersion: 7 }, { protocolVersion: '2025-11-25' }]) {
      check(await harness.post('one', rpc('initialize', params)), /^Invalid params of initialize: \w+: /);
    }
    assert.equal(harness.endpoint.sessionCount, before);
  });

  it('are refused where they are none, with the id of their request', async () => {
    const headers = await session();
    const none = [
      [null, /^Invalid params of ping: params: expected object, received null\.$/],
      [[], /params: expected object, received array\.$/],
      ['x', /params: expected object, received string\.$/],
      [{ _meta: 'x' }, /_meta: expected object, received string\.$/],
      [{ _meta: { progressToken: {} } }, /_meta\.progressToken: expected a string or an integer\.$/],
    ] as const;
    for (const [params, said] of none) {
      check(await harness.post('one', rpc('ping', params), headers), said);
    }
    const ref = { ref: { type: 'ref/other', name: 'p' }, argument: { name: 'a', value: '' } };
    check(await harness.post('one', rpc('completion/complete', ref), headers), /ref: expected {"type": "ref\/prompt"/);
    for (const message of [{ jsonrpc: '2.0', id: {}, method: 'ping' }, { id: 7, method: 'ping', params: null }, 5]) {
      assert.equal(errorOf(await harness.post('one', message, headers)).code, -32_600);
    }
  });

  it('are refused where a client says too much of itself, in both eras', async () => {
    const info = { name: 'test', version: '1' };
    const experimental = Object.fromEntries(Array.from({ length: 4_000 }, (_, at) => [`capability-${at}`, {}]));
    const wordy = [
      [{ ...info, version: 'x'.repeat(2_000) }, {}, /clientInfo\.version: it has more than 1000 characters\.$/],
      [{ ...info, websiteUrl: 'x'.repeat(70_000) }, {}, /clientInfo: it has more than 65536 characters\.$/],
      [info, { experimental }, /apabilities: it has more than 65536 characters\.$/],
    ] as const;
    const before = harness.endpoint.sessionCount;
    for (const [clientInfo, capabilities, said] of wordy) {
      const opening = { protocolVersion: '2025-11-25', clientInfo, capabilities };
      check(await harness.post('one', rpc('initialize', opening)), said);
      const _meta = {
        [version]: '2026-07-28',
        'io.modelcontextprotocol/clientInfo': clientInfo,
        'io.modelcontextprotocol/clientCapabilities': capabilities,
      };
      const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
      check(await harness.post('one', rpc('tools/list', { _meta }), headers), said);
    }
    assert.equal(harness.endpoint.sessionCount, before);
  });

  it('make no difference to methods that a stateless server does not offer', async () => {
    const bare = await EndpointHarness.open();
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'completion/complete' };
    const answer = await bare.post('one', rpc('completion/complete', envelope), headers);
    assert.equal(errorOf(answer).code, -32_601);
    bare.dispose();
  });

  describe('beyond all use', () => {
    const many = (count: number, value: unknown): object =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, value]));
    const error = async (message: unknown, headers = {}): Promise<{ code: number; message: string }> => {
      const answer = await harness.post('one', message, headers);
      assert.equal(answer.status, 400);
      return errorOf(answer);
    };

    it('are refused before a schema looks at them', async () => {
      const headers = await session();
      const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {} };
      const tooMuch = [
        [rpc('tools/call', { name: 'who', arguments: many(10_001, 1) }), /a call has at most 10000 arguments/],
        [rpc('tools/call', { name: 'who', arguments: many(60_000, 1) }), /an object in the body has more than 50000/],
        [rpc('prompts/get', { name: 'p', arguments: many(5_001, 5) }), /at most 5000 values beside the arguments of a/],
        [rpc('initialize', { ...params, capabilities: many(5_001, {}) }), /at most 5000 values/],
        [rpc('tools/list', { _meta: { list: Array.from({ length: 6_000 }, () => 0) } }), /at most 5000 values/],
        [Array.from({ length: 101 }, (_, at) => rpc('ping', {}, at)), /a batch has at most 100 messages/],
      ] as const;
      for (const [message, said] of tooMuch) {
        const { code, message: sentence } = await error(message, headers);
        assert.equal(code, -32_600);
        assert.match(sentence, said);
      }
    });

    it('are not where a call carries much', async () => {
      const args = { rows: Array.from({ length: 300_000 }, (_, at) => ({ at })), name: 'ä"\\' };
      let got: unknown;
      harness.offers.onCall = async (_client, given) => {
        got = given;
        return 'done';
      };
      const answer = await harness.post('one', rpc('tools/call', { name: 'who', arguments: args }), await session());
      assert.match(answer.text, /done/);
      assert.deepEqual(got, args);
    });

    it('are no JSON, however long they are', async () => {
      const text = 'x'.repeat(400_000);
      assert.equal((await error(`{"a":"${text}"`)).code, -32_700);
      assert.equal((await error(`{"a":${'['.repeat(300)}"${text}"${']'.repeat(300)}}`)).code, -32_600);
    });
  });

  it('are refused one by one in a batch', async () => {
    const batch = [rpc('tools/list', { cursor: 5 }, 1), rpc('ping', {}, 2)];
    const { text } = await harness.post('one', batch, await session());
    const answers = JSON.parse(text) as { id: number; error?: { code: number } }[];
    assert.deepEqual(
      answers.map(({ id, error }) => [id, error?.code]),
      [
        [1, -32_602],
        [2, undefined],
      ],
    );
  });

  it('are refused where they subscribe to more than anybody watches', async () => {
    const resourceSubscriptions = Array.from({ length: 1_001 }, (_each, index) => `test://${index}`);
    const params = { notifications: { resourceSubscriptions }, ...envelope };
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' };
    const answer = await harness.post('one', rpc('subscriptions/listen', params), headers);
    check(answer, /notifications\.resourceSubscriptions: it has more than 1000 entries\.$/);
  });
});
