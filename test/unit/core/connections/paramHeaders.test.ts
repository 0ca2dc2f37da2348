import assert from 'node:assert/strict';
import { paramHeaders, readParamHeaders } from '../../../../src/core/connections/paramHeaders';
import { type Handler, HttpFixture, json } from './remote/httpFixture';
import { connectionTo, fixture as stdioFixture, stopAll } from './testConnection';

const start = { interactive: false } as const;
const annotated = (name: unknown, more: object = { type: 'string' }): object => ({ ...more, 'x-mcp-header': name });
const schema = (properties: object, more: object = {}): object => ({ type: 'object', properties, ...more });

describe('parameters that go as headers', () => {
  let fixture: HttpFixture | undefined;
  afterEach(async () => {
    await stopAll();
    await fixture?.stop();
    fixture = undefined;
  });

  const encoded: readonly (readonly [unknown, string | undefined])[] = [
    ['us-west1', 'us-west1'],
    ['a b\tc', 'a b\tc'],
    ['Hello, 世界', '=?base64?SGVsbG8sIOS4lueVjA==?='],
    [' padded ', '=?base64?IHBhZGRlZCA=?='],
    ['line1\nline2', '=?base64?bGluZTEKbGluZTI=?='],
    ['=?base64?literal?=', '=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?='],
    ['\u007f', '=?base64?fw==?='],
    ['', '=?base64??='],
    [42, '42'],
    [-7, '-7'],
    [0, '0'],
    [true, 'true'],
    [false, 'false'],
    [2 ** 53, undefined],
    [null, undefined],
    [undefined, undefined],
    [{ a: 1 }, undefined],
    [['a'], undefined],
  ];
  for (const [value, header] of encoded) {
    it(`writes ${JSON.stringify(value) ?? 'nothing'} as ${JSON.stringify(header) ?? 'no header'}`, () => {
      const headers = paramHeaders([{ path: ['a', 'b'], name: 'Val' }], { a: { b: value } });
      assert.deepEqual(headers, header === undefined ? {} : { 'Mcp-Param-Val': header });
    });
  }

  it('finds them at any depth below "properties", whatever they are called, and reads own members alone', () => {
    const inner = schema({ 'x-mcp-header': annotated('B', { type: 'integer' }), toString: annotated('C') });
    const found = readParamHeaders(schema({ a: annotated('A', { type: 'boolean' }), deep: inner }));
    const names = typeof found === 'string' ? found : found.map(({ path, name }) => `${path.join('/')} ${name}`).sort();
    assert.deepEqual(names, ['a A', 'deep/toString C', 'deep/x-mcp-header B']);
    assert.deepEqual(typeof found === 'string' ? found : paramHeaders(found, { deep: {} }), {});
    assert.deepEqual(
      readParamHeaders(schema({ a: { type: 'string', default: annotated('A'), enum: [annotated('B')] } })),
      [],
    );
    assert.deepEqual(readParamHeaders(undefined), []);
  });

  const invalid: readonly (readonly [string, object, RegExp])[] = [
    ['an empty name', schema({ a: annotated('') }), /"a" has an x-mcp-header that is no name/],
    ['a name that is no text', schema({ a: annotated(7) }), /no name/],
    ['a space in the name', schema({ a: annotated('My Region') }), /no name/],
    ['a colon in the name', schema({ a: annotated('Region:Primary') }), /no name/],
    ['a line break in the name', schema({ a: annotated('Region\r\nX: y') }), /no name/],
    ['letters beyond ASCII', schema({ a: annotated('Région') }), /no name/],
    ['a name twice', schema({ a: annotated('Region'), b: annotated('REGION') }), /another parameter has too/],
    ['a number', schema({ a: annotated('A', { type: 'number' }) }), /strings, integers and booleans/],
    ['an object', schema({ a: annotated('A', { type: 'object' }) }), /strings, integers and booleans/],
    ['a list of types', schema({ a: annotated('A', { type: ['string', 'null'] }) }), /strings, integers and booleans/],
    ['no type', schema({ a: annotated('A', {}) }), /strings, integers and booleans/],
    ['the root', annotated('A', { type: 'string' }), /elsewhere/],
    ['items', schema({ a: { type: 'array', items: annotated('A') } }), /elsewhere/],
    ['anyOf', schema({ a: { anyOf: [annotated('A')] } }), /elsewhere/],
    ['properties below oneOf', schema({}, { oneOf: [schema({ a: annotated('A') })] }), /elsewhere/],
    ['if', schema({}, { if: schema({ a: annotated('A') }) }), /elsewhere/],
    ['$defs', schema({ a: { $ref: '#/$defs/a' } }, { $defs: { a: annotated('A') } }), /elsewhere/],
    ['additionalProperties', schema({}, { additionalProperties: annotated('A') }), /elsewhere/],
  ];
  for (const [what, inputSchema, problem] of invalid) {
    it(`refuses ${what}`, () => {
      const found = readParamHeaders(inputSchema);
      assert.match(typeof found === 'string' ? found : JSON.stringify(found), problem);
    });
  }

  const tool = (name: string, property: object): object => ({ name, inputSchema: schema({ region: property }) });
  const answers: Readonly<Record<string, object>> = {
    'server/discover': {
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {} },
      serverInfo: { name: 'fixture', version: '1' },
    },
    'tools/call': { content: [] },
  };
  const serve = (tools: () => readonly object[], refuse = (): boolean => false): Promise<HttpFixture> => {
    const handler: Handler = ({ message: { method = '', id } }, response) => {
      const result = method === 'tools/list' ? { tools: tools() } : answers[method];
      if (method === 'tools/call' && refuse()) {
        const error = { code: -32020, message: 'Header mismatch' };
        response.writeHead(400, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id, error }));
        return;
      }
      json(response, {
        jsonrpc: '2.0',
        id,
        result: { resultType: 'complete', ttlMs: 0, cacheScope: 'private', ...result },
      });
    };
    return HttpFixture.start(handler);
  };
  const headersOf = (from: HttpFixture): unknown[] =>
    from.messages('tools/call').map(({ headers }) => headers['mcp-param-region']);

  it('sends them over HTTP, and sets a tool with wrong ones aside with the reason', async () => {
    fixture = await serve(() => [tool('good', annotated('Region')), tool('bad', annotated('Re gion'))]);
    const { connection } = connectionTo({ type: 'http', url: `${fixture.origin}/mcp`, headers: {} });
    await connection.callTool('good', { region: 'zürich' });
    await connection.callTool('good', {});
    assert.deepEqual(headersOf(fixture), ['=?base64?esO8cmljaA==?=', undefined]);
    const { items, setAside } = connection.lists.value.tools;
    assert.deepEqual(
      items.map(({ name }) => name),
      ['good'],
    );
    assert.deepEqual(
      setAside.map(({ name, problem }) => [name, problem.message]),
      [['bad', '"region" has an x-mcp-header that is no name of a header.']],
    );
  });

  it('lists the tools anew where the server finds the headers wrong, and sends the call once more', async () => {
    let wanted = 'Old';
    let refusals = 1;
    fixture = await serve(
      () => [tool('good', annotated(wanted))],
      () => {
        refusals -= 1;
        return refusals >= 0;
      },
    );
    const { connection } = connectionTo({ type: 'http', url: `${fixture.origin}/mcp`, headers: {} });
    await connection.start(start);
    wanted = 'Region';
    assert.deepEqual((await connection.callTool('good', { region: 'x' })).content, []);
    assert.deepEqual(headersOf(fixture), [undefined, 'x']);
    refusals = 9;
    await assert.rejects(connection.callTool('good', { region: 'x' }), { code: -32020 });
    assert.equal(headersOf(fixture).length, 4);
  });

  it('has no use for them over stdio', async () => {
    const script = { 'tools/list': [{ resultType: 'complete', tools: [tool('bad', annotated('Re gion'))] }] };
    const { connection } = connectionTo(stdioFixture('scripted.mjs', JSON.stringify(script)));
    await connection.start(start);
    assert.deepEqual(connection.lists.value.tools.setAside, []);
  });
});
