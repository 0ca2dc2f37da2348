import assert from 'node:assert/strict';
import type { ElicitResult } from '@modelcontextprotocol/client';
import { signal } from '@preact/signals-core';
import { toDisposable } from '../../../../src/base/disposable';
import { rootsFeature } from '../../../../src/core/clientFeatures/roots';
import type { Answerer, ClientFeature, Connection } from '../../../../src/core/connections/connectionTypes';
import { passThroughSchema } from '../../../../src/core/connections/passThroughSchema';
import { connectionTo, fixture, stopAll, type TestOptions } from './testConnection';
import { eventually, WireTrace } from './until';

const done = { resultType: 'complete', content: [{ type: 'text', text: 'done' }] };
const input = (inputRequests: object | undefined, requestState?: string): object => ({
  resultType: 'input_required',
  inputRequests,
  requestState,
});
const question = (message: string): object => ({
  method: 'elicitation/create',
  params: { message, requestedSchema: { type: 'object', properties: {} } },
});
const roots = { method: 'roots/list' };

describe('input_required', () => {
  let wire: WireTrace;
  let asked: string[];
  let answer: (message: string, stop: AbortSignal) => Promise<ElicitResult>;
  let answerers: (Answerer | undefined)[];
  beforeEach(() => {
    wire = new WireTrace();
    asked = [];
    answerers = [];
    answer = async (message) => ({ action: 'accept', content: { to: message } });
  });
  afterEach(async () => {
    await stopAll();
    wire.dispose();
  });

  const elicitation: ClientFeature = {
    capabilities: { elicitation: {} },
    attach: (client, _server, questions) => {
      client.setRequestHandler('elicitation/create', { params: passThroughSchema }, (params, { mcpReq }) => {
        const { message } = params as { message: string };
        asked.push(message);
        answerers.push(questions.answererOf(mcpReq.signal));
        return answer(message, mcpReq.signal);
      });
      return toDisposable(() => client.removeRequestHandler('elicitation/create'));
    },
  };
  const root = { uri: 'file:///a', name: 'a' };
  const features = [elicitation, rootsFeature({ rootsFor: async () => signal([root]) })];

  const scripted = (script: object, options: TestOptions = {}): Connection => {
    const launch = fixture('scripted.mjs', JSON.stringify(script));
    assert.equal(launch.type, 'stdio');
    return connectionTo({ ...launch, env: wire.env }, { ...options, dependencies: { features } }).connection;
  };
  const requests = (method = 'tools/call') => wire.entries.filter((entry) => entry.method === method);
  const responses = (): unknown[] => requests().map(({ params }) => params?.['inputResponses']);
  const states = (): unknown[] => requests().map(({ params }) => params?.['requestState']);

  it('answers several questions of one round, and sends the state back as it came under a new id', async () => {
    const state = '{"a": 1,\t"b":"\\u00e4\u2028 "}=';
    const server = scripted({
      'tools/call': [input({ a: question('A'), r: roots, b: question('B') }, state), input({ c: question('C') }), done],
    });
    const { content } = await server.callTool('run', { x: 1 });
    assert.deepEqual(content, done.content);
    assert.deepEqual(asked, ['A', 'B', 'C']);
    assert.deepEqual(responses(), [
      undefined,
      {
        a: { action: 'accept', content: { to: 'A' } },
        r: { roots: [root] },
        b: { action: 'accept', content: { to: 'B' } },
      },
      { c: { action: 'accept', content: { to: 'C' } } },
    ]);
    assert.deepEqual(states(), [undefined, state, undefined]);
    assert.equal(new Set(requests().map(({ id }) => id)).size, 3);
    assert.deepEqual(
      requests().map(({ params }) => params?.['arguments']),
      [{ x: 1 }, { x: 1 }, { x: 1 }],
    );
  });

  it('serves reads and prompts too', async () => {
    const contents = { resultType: 'complete', contents: [] };
    const messages = { resultType: 'complete', messages: [] };
    const ask = input({ a: question('A') });
    const server = scripted({ 'resources/read': [ask, contents], 'prompts/get': [ask, messages] });
    assert.deepEqual((await server.readResource('x://y')).contents, []);
    assert.deepEqual((await server.getPrompt('p', { q: 'v' })).messages, []);
    assert.deepEqual(requests('resources/read')[1]?.params?.['uri'], 'x://y');
    assert.deepEqual(requests('prompts/get')[1]?.params?.['arguments'], { q: 'v' });
  });

  it('sends back a state without questions, and decline and cancel as they are', async () => {
    answer = async (message) => ({ action: message === 'A' ? 'decline' : 'cancel' });
    const server = scripted({
      'tools/call': [input(undefined, 's'), input({}, ''), input({ a: question('A'), b: question('B') }), done],
    });
    await server.callTool('run', {});
    assert.deepEqual(states(), [undefined, 's', '', undefined]);
    assert.deepEqual(responses().slice(1), [
      undefined,
      undefined,
      { a: { action: 'decline' }, b: { action: 'cancel' } },
    ]);
  });

  it('takes a result without a type for complete, and keeps the type of others out of it', async () => {
    const { resultType: _type, ...untyped } = done;
    const server = scripted({ 'tools/call': [untyped, { ...done, _meta: { kept: true } }] });
    assert.deepEqual(await server.callTool('run', {}), untyped);
    assert.deepEqual(await server.callTool('run', {}), { ...untyped, _meta: { kept: true } });
  });

  const refused: readonly (readonly [string, object, RegExp])[] = [
    ['a kind of question that nobody knows', input({ a: { method: 'tools/call' } }), /"srv" asks for "tools\/call"/],
    ['a question that is none', input({ a: 7 }), /"srv" asks for something without a method/],
    ['questions that are no object', { resultType: 'input_required', inputRequests: [1] }, /in a form that is none/],
    ['neither questions nor a state', input({}), /"srv" wants input for tools\/call, but says neither/],
    ['a flood of questions', input(Object.fromEntries(Array.from({ length: 33 }, (_, n) => [n, roots]))), /asks 33/],
    ['a type of result that nobody knows', { resultType: 'hologram' }, /"srv" answered tools\/call .*"hologram"/],
    ['a type of result that is no text', { resultType: 7 }, /"srv" answered tools\/call .*no name/],
    ['a task, which was not declared', { resultType: 'task' }, /"srv" answered tools\/call .*"task"/],
  ];
  for (const [what, result, message] of refused) {
    it(`refuses ${what}, and goes on`, async () => {
      const server = scripted({ 'tools/call': [result, done] });
      await assert.rejects(server.callTool('run', {}), { code: 'REPLY_INVALID', message });
      assert.deepEqual(asked, []);
      assert.deepEqual((await server.callTool('run', {})).content, done.content);
    });
  }

  it('refuses input for what may not ask for any', async () => {
    const server = scripted({ 'completion/complete': [input({ a: question('A') })] });
    const ref = { type: 'ref/prompt', name: 'p' } as const;
    await assert.rejects(server.complete(ref, { name: 'a', value: '' }, undefined), {
      code: 'REPLY_INVALID',
      message: /wants input for completion\/complete/,
    });
    assert.deepEqual(asked, []);
  });

  it('stops a server that asks the same again after the same answers', async () => {
    const server = scripted({ 'tools/call': [input({ a: question('A') }, 's')] });
    await assert.rejects(server.callTool('run', {}), { code: 'REPLY_INVALID', message: /again and again/ });
    assert.equal(requests().length, 2);
  });

  it('lets a server ask again until it has what it needs', async () => {
    answer = async () =>
      asked.length < 3 ? { action: 'accept', content: { n: asked.length } } : { action: 'decline' };
    const server = scripted({ 'tools/call': [input({ a: question('A') }), input({ a: question('A') }), done] });
    await server.callTool('run', {});
    assert.equal(asked.length, 2);
  });

  it('gives up after ten rounds, whatever is asked', async () => {
    const rounds = Array.from({ length: 12 }, (_, n) => input({ a: question(`${n}`) }));
    const server = scripted({ 'tools/call': rounds });
    await assert.rejects(server.callTool('run', {}), { code: 'REPLY_INVALID', message: /after 10 rounds/ });
    assert.equal(requests().length, 11);
  });

  it('gives nobody the wrong time to run out while a person is asked', async () => {
    let release = (): void => undefined;
    answer = () => new Promise((resolve) => (release = () => resolve({ action: 'accept' })));
    const server = scripted({ 'tools/call': [input({ a: question('A') }), done] }, { limits: { requestMs: 300 } });
    const call = server.callTool('run', {});
    await eventually(() => asked.length === 1);
    await new Promise((resolve) => setTimeout(resolve, 500));
    release();
    assert.deepEqual((await call).content, done.content);
  });

  it('takes the questions back when the caller cancels, and sends nothing more', async () => {
    let stopped = false;
    answer = (message, stop) =>
      new Promise((_resolve, reject) =>
        stop.addEventListener('abort', () => {
          stopped = true;
          reject(new Error(message));
        }),
      );
    const server = scripted({ 'tools/call': [input({ a: question('A') }), done] });
    const abort = new AbortController();
    const call = server.callTool('run', {}, { signal: abort.signal });
    await eventually(() => asked.length === 1);
    abort.abort();
    await assert.rejects(call, { code: 'CANCELLED' });
    assert.equal(stopped, true);
    assert.equal(requests().length, 1);
  });

  it('cancels while it waits with a state alone, and in a later round', async () => {
    const server = scripted({ 'tools/call': [input(undefined, 's'), null] });
    const abort = new AbortController();
    const call = server.callTool('run', {}, { signal: abort.signal });
    await eventually(() => requests().length === 2);
    abort.abort();
    await assert.rejects(call, { code: 'CANCELLED' });
    await eventually(() => wire.methods.includes('notifications/cancelled'));
  });

  it('fails with what the feature says, and takes the other questions back', async () => {
    let stopped = false;
    answer = (message, stop) =>
      message === 'A'
        ? Promise.reject(new Error('No model.'))
        : new Promise((resolve) =>
            stop.addEventListener('abort', () => {
              stopped = true;
              resolve({ action: 'cancel' });
            }),
          );
    const server = scripted({ 'tools/call': [input({ b: question('B'), a: question('A') })] });
    await assert.rejects(server.callTool('run', {}), /No model\./);
    assert.equal(stopped, true);
  });

  it('tells each question whose call it belongs to, with several calls at once', async () => {
    const answererOf = (name: string): Answerer => ({
      capabilities: { experimental: { [name]: {} } },
      answer: async () => ({}),
    });
    const [one, two] = [answererOf('one'), answererOf('two')];
    const server = scripted({ 'tools/call': [input({ a: question('A') }), input({ b: question('B') }), done] });
    await Promise.all([server.callTool('run', {}, { answerer: one }), server.callTool('run', {}, { answerer: two })]);
    const of = new Map(asked.map((message, index) => [message, answerers[index]]));
    assert.deepEqual(
      [of.get('A'), of.get('B')].map((found) => (found === one ? 'one' : found === two ? 'two' : 'none')).sort(),
      ['one', 'two'],
    );
  });
});
