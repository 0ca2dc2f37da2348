import assert from 'node:assert/strict';
import type { CallToolResult } from '@modelcontextprotocol/client';
import { MemoryStore } from '../../../../src/base/storage';
import { createSampling } from '../../../../src/core/clientFeatures/sampling';
import type { Sampling, SamplingRecord } from '../../../../src/core/clientFeatures/samplingTypes';
import type { Launch } from '../../../../src/core/config/configTypes';
import type { Connection, RequestOptions } from '../../../../src/core/connections/connectionTypes';
import { FakeClock } from '../connections/fakeClock';
import { connectionTo, FakeLogger, fixture, script, stopAll } from '../connections/testConnection';
import { eventually, WireTrace } from '../connections/until';
import { FakeModels, FakeSamplingSettings, FakeSamplingUi, model, words } from './fakeModels';

const start = { interactive: false } as const;
const user = (text: string) => ({ role: 'user', content: { type: 'text', text } });
const hello = { messages: [user('Hello there')], maxTokens: 20 };
const look = { name: 'look', inputSchema: { type: 'object' } };

function told({ content }: CallToolResult): unknown {
  const [block] = content;
  return block?.type === 'text' ? JSON.parse(block.text) : block;
}

describe('sampling', () => {
  let models: FakeModels;
  let ui: FakeSamplingUi;
  let settings: FakeSamplingSettings;
  let state: MemoryStore;
  let clock: FakeClock;
  let log: FakeLogger;
  let wire: WireTrace;
  let sampling: Sampling;
  beforeEach(() => {
    models = new FakeModels();
    ui = new FakeSamplingUi();
    settings = new FakeSamplingSettings();
    state = new MemoryStore();
    clock = new FakeClock();
    log = new FakeLogger();
    wire = new WireTrace();
  });
  afterEach(async () => {
    await stopAll();
    wire.dispose();
  });

  const connect = (args: readonly string[] = [], consentDigest?: string): Promise<Connection> =>
    connectTo(fixture('sampling.mjs', ...args), consentDigest);
  const connectTo = async (server: Launch, consentDigest = 'as shown'): Promise<Connection> => {
    const created = createSampling({
      source: async () => ({ backend: models, ui, settings }),
      state,
      logs: { own: log, forServer: () => log },
      clock,
    });
    sampling = created;
    const launch = server as Extract<Launch, { type: 'stdio' }>;
    const { connection } = connectionTo(
      { ...launch, env: wire.env },
      { definition: { consentDigest }, dependencies: { features: [...created.features] } },
    );
    await connection.start(start);
    return connection;
  };
  const ask = async (connection: Connection, params: unknown, options?: RequestOptions): Promise<unknown> =>
    told(await connection.callTool('ask', { params }, options));
  /** The error that the server got, or in the stateless era the caller. */
  const failure = async (
    connection: Connection,
    params: unknown,
  ): Promise<{ code: number | string; message: string }> => {
    const outcome = await ask(connection, params).catch((cause: unknown) => ({ error: cause }));
    return (outcome as { error: { code: number; message: string } }).error;
  };
  const record = (index = 0): SamplingRecord => {
    const found = sampling.records.peek()[index];
    assert(found);
    return found;
  };

  for (const era of ['session', 'stateless'] as const) {
    describe(`in the ${era} era`, () => {
      it('gives the model what the person let through, and the server the answer', async () => {
        const connection = await connect([era]);
        models.script.push([words('Good '), words('day')]);
        const request = { ...hello, systemPrompt: 'Be short', temperature: 0.5, includeContext: 'allServers' };
        assert.deepEqual(await ask(connection, request), {
          role: 'assistant',
          model: 'small',
          stopReason: 'endTurn',
          content: words('Good day'),
        });
        const [sent] = models.sent;
        assert.equal(sent?.params.systemPrompt, 'Be short');
        assert.equal(sent?.params.temperature, 0.5);
        assert.equal(sent?.params.includeContext, undefined);
        assert.equal(ui.requests[0]?.review.server.key, 'srv');
        assert.equal(ui.requests[0]?.review.inputTokens, 4);
        const { outcome, reviewed, inputTokens, outputTokens, answer } = record();
        assert.deepEqual(
          { outcome, reviewed, inputTokens, outputTokens, answer },
          { outcome: 'ok', reviewed: true, inputTokens: 4, outputTokens: 2, answer: [words('Good day')] },
        );
      });

      it('fault 45: gives a list of contents where tools were given, and runs none of them itself', async () => {
        const connection = await connect([era]);
        const use = { type: 'tool_use', id: 'c1', name: 'look', input: { at: 'sea' } } as const;
        models.script.push([words('Wait.'), use], [use], [words('Calm')]);
        const request = { ...hello, tools: [look], toolChoice: { mode: 'required' } };
        const first = (await ask(connection, request)) as { content: unknown; stopReason: string };
        assert.deepEqual(first.content, [words('Wait.'), use]);
        assert.equal(first.stopReason, 'toolUse');
        assert.deepEqual(models.sent[0]?.params.toolChoice, { mode: 'required' });
        assert.deepEqual(((await ask(connection, request)) as typeof first).content, [use]);
        const last = (await ask(connection, request)) as typeof first;
        assert.deepEqual([last.content, last.stopReason], [words('Calm'), 'endTurn']);
      });

      it('carries a server through its loop of tools', async () => {
        const connection = await connect([era]);
        const use = { type: 'tool_use', id: 'c1', name: 'get_weather', input: { city: 'Bergen' } } as const;
        models.script.push([use], [words('It rains in Bergen')]);
        const result = told(await connection.callTool('weather', {})) as { content: unknown };
        assert.deepEqual(result.content, words('It rains in Bergen'));
        const { messages } = models.sent[1]?.params ?? { messages: [] };
        assert.deepEqual(messages.at(-1)?.content, [
          { type: 'tool_result', toolUseId: 'c1', content: [words('Rain in Bergen')] },
        ]);
      });

      it('fault 45: gives one content where no tools were given, whatever the model says', async () => {
        const connection = await connect([era]);
        const image = { type: 'image', data: 'AA==', mimeType: 'image/png' } as const;
        models.script.push([words('a'), image, words('b')], [image], []);
        const contentOf = async () => ((await ask(connection, hello)) as { content: unknown }).content;
        assert.deepEqual(await contentOf(), words('ab'));
        assert.deepEqual(await contentOf(), image);
        assert.deepEqual(await contentOf(), words(''));
      });

      it('fault 45: tells a refusal by the number of the spec', async () => {
        const connection = await connect([era]);
        ui.onRequest = async () => ({ kind: 'refuse', duration: 'once' });
        assert.deepEqual(pick(await failure(connection, hello)), [-1, 'User rejected sampling request']);
        assert.deepEqual(models.sent, []);
        assert.equal(record().outcome, 'refused');
        ui.onRequest = async (review) => ui.allow(review);
        ui.onAnswer = async () => undefined;
        assert.deepEqual(pick(await failure(connection, hello)), [-1, 'User rejected sampling request']);
        assert.equal(record().answer, undefined);
      });

      it('fault 45: refuses what breaks the rules, and asks nobody', async () => {
        const connection = await connect([era]);
        const { code, message } = await failure(connection, { ...hello, maxTokens: 0 });
        assert.equal(code, -32602);
        assert.match(message, /maxTokens must be a whole number above 0/);
        assert.equal((await failure(connection, { maxTokens: 5, messages: [] })).code, -32602);
        assert.deepEqual(ui.requests, []);
      });

      it('sends what the person edited, to the model that they chose, and their answer back', async () => {
        const connection = await connect([era]);
        models.script.push([words('secret')]);
        ui.onRequest = async ({ models: [, second], params }) => {
          assert(second);
          const messages = [{ role: 'user' as const, content: [words('Edited')] }];
          return { kind: 'allow', duration: 'once', model: second, params: { ...params, messages } };
        };
        ui.onAnswer = async () => [words('public')];
        const { content, model: by } = (await ask(connection, hello)) as { content: unknown; model: string };
        assert.deepEqual([content, by], [words('public'), 'large']);
        assert.deepEqual(models.sent[0]?.params.messages[0]?.content, [words('Edited')]);
        assert.deepEqual([record().inputTokens, record().outputTokens], [1, 1]);
        assert.deepEqual(record().answer, [words('public')]);
      });

      it('keeps the number of tokens and the stop sequences', async () => {
        const connection = await connect([era]);
        models.script.push([words('one two three')], [words('one two three')]);
        const short = (await ask(connection, { ...hello, maxTokens: 2 })) as { content: unknown; stopReason: string };
        assert.deepEqual([short.content, short.stopReason], [words('one two '), 'maxTokens']);
        const stopped = (await ask(connection, { ...hello, stopSequences: ['two'] })) as typeof short;
        assert.deepEqual([stopped.content, stopped.stopReason], [words('one '), 'stopSequence']);
      });

      it('stops the model of a call that is cancelled', async () => {
        const connection = await connect([era]);
        let open = (): void => undefined;
        models.gate = new Promise((resolve) => (open = resolve));
        const abort = new AbortController();
        const call = ask(connection, hello, { signal: abort.signal });
        await eventually(() => models.sent.length > 0);
        abort.abort();
        await assert.rejects(call, { code: 'CANCELLED' });
        await eventually(() => record().outcome === 'cancelled');
        open();
        await eventually(() => models.ended === 1);
        assert.deepEqual(ui.answers, []);
      });

      it('sends nothing where the call ended while the person thought about it', async () => {
        const connection = await connect([era]);
        let answer = (): void => undefined;
        ui.onRequest = (review) => new Promise((resolve) => (answer = () => resolve(ui.allow(review, 'session'))));
        const abort = new AbortController();
        const call = ask(connection, hello, { signal: abort.signal });
        await eventually(() => ui.requests.length > 0);
        abort.abort();
        await assert.rejects(call, { code: 'CANCELLED' });
        await eventually(() => ui.requests[0]?.signal.aborted === true);
        answer();
        await new Promise(setImmediate);
        assert.deepEqual(models.sent, []);
      });
    });
  }

  it('answers the reference server', async () => {
    const everything = 'node_modules/@modelcontextprotocol/server-everything/dist/index.js';
    const connection = await connectTo(script(everything, 'stdio'));
    models.script.push([words('one two three')]);
    const { content } = await connection.callTool('trigger-sampling-request', { prompt: 'Count', maxTokens: 2 });
    assert.match(JSON.stringify(content), /maxTokens.*one two /);
    assert.equal(models.sent[0]?.params.systemPrompt, 'You are a helpful test server.');
  });

  it('is declared with tools and without context, and not at all without models', async () => {
    await connect();
    const initialize = wire.entries.find(({ method }) => method === 'initialize');
    assert.deepEqual(initialize?.params?.['capabilities'], { sampling: { tools: {} } });
    const none = createSampling({ source: undefined, state, logs: { own: log, forServer: () => log }, clock });
    assert.deepEqual(none.features, []);
  });

  describe('consent', () => {
    it('for the session asks no more, before and after, but stays on record', async () => {
      const connection = await connect();
      ui.onRequest = async (review) => ui.allow(review, 'session');
      await ask(connection, hello);
      await ask(connection, hello);
      assert.equal(ui.requests.length, 1);
      assert.equal(ui.answers.length, 0);
      assert.deepEqual(
        sampling.records.peek().map(({ reviewed }) => reviewed),
        [false, true],
      );
      await sampling.forget('srv');
      await ask(connection, hello);
      assert.equal(ui.requests.length, 2);
    });

    it('for good holds in another window, for what was shown alone', async () => {
      ui.onRequest = async (review) => ui.allow(review, 'always');
      await ask(await connect(), hello);
      await ask(await connect(), hello);
      assert.equal(ui.requests.length, 1);
      await ask(await connect([], 'changed'), hello);
      assert.equal(ui.requests.length, 2);
      const last = await connect([], 'changed');
      await sampling.forget();
      await ask(last, hello);
      assert.equal(ui.requests.length, 3);
    });

    it('that was refused for good stays refused without a question', async () => {
      ui.onRequest = async () => ({ kind: 'refuse', duration: 'always' });
      await failure(await connect(), hello);
      const { code } = await failure(await connect(), hello);
      assert.equal(code, -1);
      assert.equal(ui.requests.length, 1);
    });

    it('frees what waits for the same answer', async () => {
      const connection = await connect();
      ui.onRequest = async (review) => ui.allow(review, 'session');
      await ask(connection, [hello, hello, hello]);
      assert.equal(ui.requests.length, 1);
      assert.equal(models.sent.length, 3);
    });

    it('is asked for one request at a time', async () => {
      const connection = await connect();
      let open = 0;
      ui.onRequest = async (review) => {
        open += 1;
        assert.equal(open, 1);
        await new Promise(setImmediate);
        open -= 1;
        return ui.allow(review);
      };
      await ask(connection, [hello, hello, hello]);
      assert.equal(ui.requests.length, 3);
    });

    it('is not there in the background: the request fails at once, and nobody is asked', async () => {
      const connection = await connect();
      await connection.callTool('later', { params: hello });
      await eventually(() => JSON.stringify(wire.entries).includes('"code":-1'));
      assert.deepEqual(ui.requests, []);
      assert.equal(record().outcome, 'refused');
    });

    it('that stands lets a request in the background through, to a model that nobody has to be asked about', async () => {
      const connection = await connect();
      ui.onRequest = async (review) => ui.allow(review, 'session');
      await ask(connection, hello);
      await connection.callTool('later', { params: hello });
      await eventually(() => models.sent.length === 2);
      assert.deepEqual(
        models.sent.map(({ interactive }) => interactive),
        [true, false],
      );
      await eventually(() => record().outcome === 'ok');
    });
  });

  describe('limits', () => {
    it('let so many requests through in a minute, and say so', async () => {
      const connection = await connect();
      settings.perMinute = 2;
      await ask(connection, hello);
      await ask(connection, hello);
      assert.match(
        (await failure(connection, hello)).message,
        /^"srv" may use 2 requests for a model in a minute, and has\..*"portico\.sampling\.requestsPerMinute"/,
      );
      assert.equal(record().problem?.code, 'RATE_LIMITED');
      await clock.pass(60_000);
      await ask(connection, hello);
    });

    it('let so many tokens through in an hour, cut the last answer to what is left, and say so', async () => {
      const connection = await connect();
      settings.perHour = 10;
      models.script.push([words('one two three four five')], [words('one two three')]);
      await ask(connection, hello);
      const cut = (await ask(connection, { ...hello, messages: [user('Hi')] })) as { content: unknown };
      assert.deepEqual(cut.content, words('one two '));
      const { message } = await failure(connection, hello);
      assert.match(
        message,
        /^"srv" may use 10 tokens of models in an hour, and has\..*"portico\.sampling\.tokensPerHour"/,
      );
      await clock.pass(3_600_000);
      await ask(connection, hello);
    });

    it('give back what was not used', async () => {
      const connection = await connect();
      settings.perHour = 30;
      ui.onRequest = async () => ({ kind: 'refuse', duration: 'once' });
      await failure(connection, { ...hello, maxTokens: 28 });
      ui.onRequest = async (review) => ui.allow(review);
      models.script.push([words('one')]);
      const { stopReason } = (await ask(connection, { ...hello, maxTokens: 28 })) as { stopReason: string };
      assert.equal(stopReason, 'endTurn');
    });
  });

  describe('models', () => {
    it('that are not there are said not to be', async () => {
      const connection = await connect();
      models.available = [];
      assert.match((await failure(connection, hello)).message, /^"srv" asked for a language model, but there is none/);
      assert.equal(record().problem?.code, 'NO_MODEL');
      models.available = [model('small')];
      settings.wanted = ['grand'];
      assert.match((await failure(connection, hello)).message, /"portico\.sampling\.models" is there \(grand\)/);
    });

    it('fault 45: that take less than the system prompt are passed over, or said to', async () => {
      const connection = await connect();
      models.available = [model('small', { maxInputTokens: 5 }), model('large', { maxInputTokens: 50 })];
      const long = (count: number) => ({ ...hello, systemPrompt: 'word '.repeat(count) });
      assert.equal(((await ask(connection, long(20))) as { model: string }).model, 'large');
      const { message } = await failure(connection, long(60));
      assert.match(message, /has 62 tokens; the model takes at most 50/);
      assert.equal(ui.requests.length, 1);
      ui.onRequest = async ({ models: [first], params }) => {
        assert(first);
        return { kind: 'allow', duration: 'once', model: first, params };
      };
      assert.match((await failure(connection, long(20))).message, /has 22 tokens; the model takes at most 5/);
    });

    it('that fail are named, with what their provider says', async () => {
      const connection = await connect();
      models.script.push(new Error('Quota exceeded'));
      const { message } = await failure(connection, hello);
      assert.equal(message, 'The language model small did not answer "srv": Quota exceeded');
      assert.equal(record().problem?.code, 'MODEL_FAILED');
    });
  });

  it('keeps a bounded record of each server, without the data of pictures', async () => {
    const connection = await connect();
    settings.perMinute = 1_000;
    ui.onRequest = async (review) => ui.allow(review, 'session');
    const picture = { type: 'image', data: 'A'.repeat(1_000), mimeType: 'image/png' };
    await ask(connection, { ...hello, messages: [{ role: 'user', content: picture }] });
    assert.deepEqual(record().params?.messages[0]?.content, [{ ...picture, data: '' }]);
    for (let count = 0; count < 60; count += 1) {
      await ask(connection, hello);
    }
    assert.equal(sampling.records.peek().length, 50);
  });
});

function pick({ code, message }: { code: number | string; message: string }): readonly [number | string, string] {
  return [code, message];
}
