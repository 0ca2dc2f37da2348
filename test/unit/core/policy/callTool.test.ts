import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PorticoError } from '../../../../src/base/errors';
import { noteKey } from '../../../../src/core/policy/policyTypes';
import { lists, tool } from '../catalog/catalogFixtures';
import { caller, text, world } from './policyFixtures';

const manual = { caller: caller('manual') };
const ref = (name: string) => ({ server: 's', name });
const input = (inputSchema: unknown) => ({ inputSchema });
const code = (expected: string, message?: RegExp) => (error: unknown) =>
  PorticoError.is(error) && error.code === expected && (message === undefined || message.test(error.message));

describe('callTool', () => {
  it('fault 1: sends the exact original name, whatever models see', async () => {
    const { policy, sent, catalog } = world(
      ['calendar.get', 'assets/list', 'New Tool', 'données', 'a.b', 'a_b'].map((name) => tool(name)),
    );
    for (const { exposedName } of catalog.tools.value) {
      const found = catalog.toolByExposedName(exposedName);
      assert.ok(found);
      await policy.callTool(found.ref, {}, manual);
    }
    assert.deepEqual(
      sent.map(({ name }) => name),
      ['calendar.get', 'assets/list', 'New Tool', 'données', 'a.b', 'a_b'],
    );
    policy.dispose();
  });

  it('refuses a server and a tool that are not there', async () => {
    const { policy } = world([]);
    await assert.rejects(policy.callTool({ server: 'x', name: 't' }, {}, manual), code('SERVER_UNKNOWN', /"x"/));
    await assert.rejects(policy.callTool(ref('t'), {}, manual), code('TOOL_UNKNOWN', /s has no tool "t"/));
    assert.deepEqual(
      policy.callLog.records.value.map(({ outcome, problem }) => [outcome, problem?.code]),
      [
        ['failed', 'TOOL_UNKNOWN'],
        ['failed', 'SERVER_UNKNOWN'],
      ],
    );
    policy.dispose();
  });

  it('has a server listed first that was never seen', async () => {
    const made = world([], {}, { ensureListed: async () => void (made.server.lists.value = lists([tool('late')])) });
    assert.deepEqual(await made.policy.callTool(ref('late'), {}, manual), text('ok'));
    assert.equal(made.policy.callLog.records.value[0]?.exposedName, 's_late');
    made.policy.dispose();
  });

  it('checks arguments before they leave and says what is wrong where', async () => {
    const schema = {
      type: 'object',
      properties: { q: { type: 'object', properties: { limit: { type: 'integer' } } }, m: { enum: ['a', 'b'] } },
      required: ['q'],
      additionalProperties: false,
    };
    const { policy, sent } = world([tool('t', input(schema))]);
    const args = { q: { limit: 'x' }, m: 'c', z: 1 };
    await assert.rejects(
      policy.callTool(ref('t'), args, manual),
      code(
        'ARGUMENTS_INVALID',
        /t on s do not fit: z is not known; q\.limit must be integer; m must be one of \["a","b"\]/,
      ),
    );
    assert.match((await policy.checkArguments(ref('t'), {}))?.message ?? '', /q is missing/);
    assert.deepEqual(
      (await policy.checkArguments(ref('t'), args))?.faults?.map(({ path }) => path),
      ['/z', '/q/limit', '/m'],
    );
    assert.equal(await policy.checkArguments(ref('t'), { q: {} }), undefined);
    assert.equal(sent.length, 0);
    policy.dispose();
  });

  it('fault 2: two entries for one program stay separately callable', async () => {
    const { policy, sent, catalog } = world([tool('search')]);
    assert.equal(catalog.toolByRef({ server: 'other', name: 'search' }), undefined);
    await policy.callTool(ref('search'), {}, manual);
    assert.equal(sent.length, 1);
    policy.dispose();
  });

  it('fault 4: true takes any value, false must be absent', async () => {
    const { policy } = world([tool('t', input({ type: 'object', properties: { payload: true, gone: false } }))]);
    for (const payload of [1, null, 'x', [], {}]) {
      assert.equal(await policy.checkArguments(ref('t'), { payload }), undefined);
    }
    assert.equal((await policy.checkArguments(ref('t'), { gone: 1 }))?.code, 'ARGUMENTS_INVALID');
    policy.dispose();
  });

  it('fault 5: recursion validates; a dangling reference costs only output validation, with a line in the log', async () => {
    const recursive = {
      type: 'object',
      properties: { n: { $ref: '#/$defs/N' } },
      $defs: { N: { type: 'object', properties: { kids: { type: 'array', items: { $ref: '#/$defs/N' } } } } },
    };
    const dangling = { type: 'object', properties: { n: { $ref: '#/$defs/Missing' } } };
    const structured = (value: unknown) => ({ content: [], structuredContent: value });
    const bad = { n: { kids: [{ kids: 1 }] } };
    const { policy, log } = world(
      [
        tool('good', { outputSchema: recursive }),
        tool('bad', { outputSchema: recursive }),
        tool('dangling', { outputSchema: dangling }),
        tool('args', input(recursive)),
      ],
      { good: structured({ n: { kids: [{ kids: [] }] } }), bad: structured(bad), dangling: structured({ n: 1 }) },
    );
    assert.equal((await policy.callTool(ref('good'), {}, manual)).content.length, 0);
    assert.equal((await policy.callTool(ref('bad'), {}, manual)).content.length, 1);
    const { content, structuredContent } = await policy.callTool(ref('dangling'), {}, manual);
    assert.deepEqual(structuredContent, { n: 1 });
    assert.match(
      content[0]?.type === 'text' ? content[0].text : '',
      /^\[Portico: of the result, this was not checked against the schema: anything \(the schema: can't resolve reference/,
    );
    assert.equal(log.warnings.length, 1);
    assert.match(log.warnings[0] ?? '', /output schema of s_dangling/);
    assert.match((await policy.checkArguments(ref('args'), bad))?.message ?? '', /n\.kids\.0\.kids must be array/);
    policy.dispose();
  });

  it('fault 5: of a dangling reference in an input schema, the rest is checked all the same', async () => {
    const { policy, log } = world([
      tool(
        't',
        input({
          $id: 'https://x.test/tool',
          type: 'object',
          properties: { any: { $ref: '#/$defs/Missing' }, other: { $ref: '#gone' }, n: { type: 'integer' } },
        }),
      ),
    ]);
    assert.equal(await policy.checkArguments(ref('t'), { any: 1, other: 'x', n: 1 }), undefined);
    assert.match((await policy.checkArguments(ref('t'), { any: 1, n: 'x' }))?.message ?? '', /n must be integer/);
    assert.equal(log.warnings.length, 2);
    assert.match(log.warnings[0] ?? '', /input schema of s_t refers to .*#\/\$defs\/Missing, which is not there/);
    policy.dispose();
  });

  it('arguments may be called like what every object inherits', async () => {
    const { policy } = world([
      tool('named', input({ type: 'object', properties: { constructor: { type: 'string' }, a: {} } })),
      tool('needs', input({ type: 'object', required: ['toString'] })),
      tool('closed', input({ type: 'object', additionalProperties: false })),
      tool('depends', input({ type: 'object', dependentRequired: { valueOf: ['b'] } })),
    ]);
    const problem = async (name: string, args: Record<string, unknown>) =>
      (await policy.checkArguments(ref(name), args))?.message;
    assert.equal(await problem('named', { a: 'q' }), undefined);
    assert.match((await problem('named', { constructor: 1 })) ?? '', /constructor must be string/);
    assert.match((await problem('needs', {})) ?? '', /toString is missing/);
    assert.equal(await problem('needs', { toString: 1 }), undefined);
    assert.match((await problem('closed', { hasOwnProperty: 1 })) ?? '', /hasOwnProperty is not known/);
    assert.equal(await problem('depends', {}), undefined);
    policy.dispose();
  });

  it('a schema cannot make the check a promise', async () => {
    const a = { type: 'string' };
    const { policy, log } = world([
      tool('root', input({ $async: true, type: 'object', properties: { a, $async: { type: 'integer' } } })),
      tool(
        'below',
        input({ type: 'object', properties: { q: { $ref: '#/$defs/Q' } }, $defs: { Q: { $async: true, ...a } } }),
      ),
    ]);
    const problem = async (name: string, args: Record<string, unknown>) =>
      (await policy.checkArguments(ref(name), args))?.message;
    assert.equal(await problem('root', { a: 'x', $async: 1 }), undefined);
    assert.match((await problem('root', { a: 1 })) ?? '', /a must be string/);
    assert.match((await problem('root', { $async: 'x' })) ?? '', /\$async must be integer/);
    assert.match((await problem('below', { q: 1 })) ?? '', /q must be string/);
    assert.deepEqual(log.warnings, []);
    policy.dispose();
  });

  it('fault 6: arguments behind references arrive unchanged', async () => {
    const args = { q: { limit: 1 } };
    const { policy, sent } = world(
      ['$defs', 'definitions'].map((defs) =>
        tool(
          defs,
          input({
            type: 'object',
            properties: { q: { $ref: `#/${defs}/Q` } },
            required: ['q'],
            [defs]: { Q: { type: 'object', properties: { limit: { type: 'integer' } } } },
          }),
        ),
      ),
    );
    await policy.callTool(ref('$defs'), args, manual);
    await policy.callTool(ref('definitions'), args, manual);
    assert.deepEqual(
      sent.map((call) => call.args),
      [args, args],
    );
    assert.equal((await policy.checkArguments(ref('$defs'), { q: { limit: 'x' } }))?.code, 'ARGUMENTS_INVALID');
    policy.dispose();
  });

  it('fault 7: dialects side by side; an unsupported one is an error of its tool; unknown formats are ignored quietly', async () => {
    const { policy, log } = world([
      tool(
        'new',
        input({
          $schema: 'https://json-schema.org/draft/2020-12/schema',
          type: 'object',
          properties: { a: { type: 'array', prefixItems: [{ type: 'string' }] } },
          unevaluatedProperties: false,
        }),
      ),
      tool(
        'middle',
        input({
          $schema: 'https://json-schema.org/draft/2019-09/schema',
          type: 'object',
          properties: { a: { type: 'string' } },
        }),
      ),
      tool(
        'seven',
        input({
          $schema: 'http://json-schema.org/draft-07/schema#',
          type: 'object',
          properties: { a: { type: 'array', items: [{ type: 'string' }] } },
        }),
      ),
      tool('four', {
        outputSchema: {
          $schema: 'http://json-schema.org/draft-04/schema#',
          properties: { a: { minimum: 1, exclusiveMinimum: true } },
        },
      }),
      tool(
        'format',
        input({
          type: 'object',
          properties: { a: { type: 'integer', format: 'uint64' }, id: { type: 'string', nullable: true } },
        }),
      ),
    ]);
    const problem = (name: string, args: Record<string, unknown>) => policy.checkArguments(ref(name), args);
    assert.match((await problem('new', { b: 1 }))?.message ?? '', /b is not known/);
    assert.match((await problem('new', { a: [1] }))?.message ?? '', /a\.0 must be string/);
    assert.match((await problem('middle', { a: 1 }))?.message ?? '', /a must be string/);
    assert.match((await problem('seven', { a: [1] }))?.message ?? '', /a\.0 must be string/);
    assert.equal(await problem('format', { a: 1 }), undefined);
    await assert.rejects(policy.callTool(ref('four'), {}, manual), code('TOOL_UNUSABLE', /draft-04/));
    assert.deepEqual(log.warnings, []);
    policy.dispose();
  });

  it('null for an argument that is not required is sent as it is, whatever its type', async () => {
    const schema = { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'boolean' } }, required: ['a'] };
    const { policy, sent } = world([tool('t', input(schema))]);
    await policy.callTool(ref('t'), { a: 1, b: null }, manual);
    assert.deepEqual(sent.at(-1)?.args, { a: 1, b: null });
    const problem = await policy.checkArguments(ref('t'), { a: null, b: null });
    assert.match(problem?.message ?? '', /a must be integer\. /);
    policy.dispose();
  });

  it('fault 8: the original validates, combinators of its root included', async () => {
    const { policy } = world([tool('t', input({ type: 'object', oneOf: [{ required: ['a'] }, { required: ['b'] }] }))]);
    assert.equal(await policy.checkArguments(ref('t'), { a: 1 }), undefined);
    assert.equal((await policy.checkArguments(ref('t'), { a: 1, b: 1 }))?.code, 'ARGUMENTS_INVALID');
    assert.equal((await policy.checkArguments(ref('t'), {}))?.code, 'ARGUMENTS_INVALID');
    policy.dispose();
  });

  it('fault 10: a remote reference opens no connection and reads no file: the tool is refused with the reason', async () => {
    let connections = 0;
    const listener = createServer().on('connection', () => (connections += 1));
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/s.json`;
    const { policy, sent } = world(
      [
        tool('http', input({ type: 'object', properties: { c: { $ref: url } } })),
        tool('file', input({ type: 'object', properties: { c: { $ref: 'file:///etc/hostname' } } })),
        tool('output', { outputSchema: { type: 'object', properties: { c: { $ref: url } } } }),
      ],
      { output: { content: [], structuredContent: { c: 1 } } },
    );
    await assert.rejects(policy.callTool(ref('http'), { c: 1 }, manual), code('TOOL_UNUSABLE', /never follows/));
    await assert.rejects(policy.callTool(ref('file'), { c: 1 }, manual), code('TOOL_UNUSABLE', /etc\/hostname/));
    await policy.callTool(ref('output'), {}, manual);
    assert.deepEqual([connections, sent.map(({ name }) => name)], [0, ['output']]);
    await new Promise((resolve) => listener.close(resolve));
    policy.dispose();
  });

  it('two tools may claim the same $id', async () => {
    const schema = (type: string) => input({ $id: 'https://x.test/tool', type: 'object', properties: { a: { type } } });
    const { policy, log } = world([tool('one', schema('string')), tool('two', schema('integer'))]);
    assert.match((await policy.checkArguments(ref('one'), { a: 1 }))?.message ?? '', /a must be string/);
    assert.equal(await policy.checkArguments(ref('two'), { a: 1 }), undefined);
    assert.deepEqual(log.warnings, []);
    policy.dispose();
  });

  it('patterns: valid ones hold, each its own; broken and runaway ones neither fail nor hang', async () => {
    const { policy } = world([
      tool(
        't',
        input({
          type: 'object',
          properties: {
            a: { type: 'string', pattern: '^a+$' },
            b: { type: 'string', pattern: '^b+$' },
            old: { type: 'string', pattern: '^\\-$' },
            broken: { type: 'string', pattern: '(' },
            runaway: { type: 'string', pattern: '^(a+)+\\1$' },
            choice: { type: 'string', pattern: '^(a|aa)*$' },
          },
        }),
      ),
    ]);
    const long = `${'a'.repeat(5_000)}!`;
    assert.equal(
      await policy.checkArguments(ref('t'), { a: 'aa', b: 'bb', old: '-', broken: 'x', runaway: long }),
      undefined,
    );
    assert.match((await policy.checkArguments(ref('t'), { choice: long }))?.message ?? '', /choice must match pattern/);
    assert.match((await policy.checkArguments(ref('t'), { a: 'b', b: 'b' }))?.message ?? '', /a must match pattern/);
    assert.match((await policy.checkArguments(ref('t'), { a: 'a', b: 'a' }))?.message ?? '', /b must match pattern/);
    policy.dispose();
  });

  it('says in the result what of arguments and result could not be checked, and only where there was such', async () => {
    const properties = {
      runaway: { type: 'string', pattern: '^(a+)+\\1$' },
      broken: { type: 'string', pattern: '(' },
      slow: { type: 'string', pattern: '^(a+)b+c+\\1$' },
    };
    const schema = { type: 'object', properties };
    const { policy } = world([tool('in', input(schema)), tool('out', { outputSchema: schema })], {
      out: { ...text('ok'), structuredContent: { runaway: 'a' } },
    });
    const call = async (name: string, args: Readonly<Record<string, unknown>>): Promise<readonly string[]> =>
      (await policy.callTool(ref(name), args, manual)).content.flatMap((block) =>
        block.type === 'text' && block._meta?.[noteKey] === 'unchecked' ? [block.text] : [],
      );
    assert.deepEqual(await call('in', { slow: 'abca' }), []);
    assert.deepEqual(await call('in', { runaway: 'x', broken: 'x', slow: 'x'.repeat(400) }), [
      '[Portico: of the arguments, this was not checked against the schema: the pattern “^(a+)+\\1$”, which cannot be run safely; the pattern “(”, which cannot be run safely; the pattern “^(a+)b+c+\\1$” for a text of more than 18 characters.]',
    ]);
    assert.deepEqual(await call('out', {}), [
      '[Portico: of the result, this was not checked against the schema: the pattern “^(a+)+\\1$”, which cannot be run safely.]',
    ]);
    policy.dispose();
  });

  const output = { outputSchema: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] } };

  it('fault 11: a failure reaches the caller as it is; only structuredContent of a success is checked', async () => {
    const failure = { isError: true, ...text('boom'), structuredContent: { error: 'x' } };
    const success = { ...text('1'), structuredContent: { a: 1 }, _meta: { k: 1 } };
    const { policy } = world([tool('one', output), tool('two', output)], { one: failure, two: success });
    assert.equal(await policy.callTool(ref('one'), {}, manual), failure);
    assert.equal(await policy.callTool(ref('two'), {}, manual), success);
    assert.deepEqual(
      policy.callLog.records.value.map(({ outcome }) => outcome),
      ['ok', 'toolError'],
    );
    policy.dispose();
  });

  it('fault 12: a result that breaks the output schema keeps its text and gets a visible note', async () => {
    const { policy } = world([tool('none', output), tool('wrong', output)], {
      none: text('{"a":1}'),
      wrong: { ...text('str'), structuredContent: { a: 'str' } },
    });
    for (const [name, said, reason] of [
      ['none', '{"a":1}', /no structured content/],
      ['wrong', 'str', /a must be number/],
    ] as const) {
      const { content } = await policy.callTool(ref(name), {}, manual);
      assert.deepEqual(content[0], { type: 'text', text: said });
      const note = content[1];
      assert.ok(note?.type === 'text' && content.length === 2);
      assert.match(note.text, reason);
      assert.deepEqual(note._meta, { [noteKey]: 'outputSchema' });
    }
    policy.dispose();
  });

  it('says how a call ended: failed, cancelled', async () => {
    const controller = new AbortController();
    const { policy } = world(
      [tool('t')],
      {},
      {
        upstream: async () => {
          throw new PorticoError('CONNECTION_LOST', 'gone');
        },
      },
    );
    await assert.rejects(policy.callTool(ref('t'), {}, manual), code('CONNECTION_LOST'));
    controller.abort();
    await assert.rejects(policy.callTool(ref('t'), {}, { ...manual, signal: controller.signal }));
    assert.deepEqual(
      policy.callLog.records.value.map(({ outcome }) => outcome),
      ['cancelled', 'failed'],
    );
    policy.dispose();
  });
});
