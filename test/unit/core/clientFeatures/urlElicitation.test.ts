import assert from 'node:assert/strict';
import type { Connection, RequestOptions } from '../../../../src/core/connections/connectionTypes';
import { eventually } from '../connections/until';
import { ElicitationBench, FakeVisitingUi, told } from './elicitationFixtures';

const page = (more: object = {}): object => ({
  mode: 'url',
  message: 'Sign in to the bank',
  url: 'https://bank.example/connect?for=1&back=%2Fhome',
  elicitationId: 'one',
  ...more,
});

describe('elicitation in URL mode', () => {
  let ui: FakeVisitingUi;
  let bench: ElicitationBench<FakeVisitingUi>;
  beforeEach(() => {
    ui = new FakeVisitingUi();
    bench = new ElicitationBench(ui);
  });
  afterEach(() => bench.close());

  const open = (era: 'session' | 'stateless' = 'session'): Promise<Connection> => bench.connect('asking.mjs', [era]);
  const ask = async (connection: Connection, params: unknown): Promise<unknown> =>
    told(await connection.callTool('ask', { params }));
  const errorOf = async (connection: Connection, params: unknown): Promise<{ code: number; message: string }> => {
    const outcome = await ask(connection, params).catch((error: unknown) => ({ error }));
    return (outcome as { error: { code: number; message: string } }).error;
  };
  const locked = (connection: Connection, args: object, options?: RequestOptions) =>
    connection.callTool('locked', { pages: [page()], ...args }, options);
  const calls = (): number => bench.wire.entries.filter(({ method }) => method === 'tools/call').length;

  it('fault 47: is declared beside forms, in both eras, where pages can be opened', async () => {
    await open('session');
    await open('stateless');
    const initialize = bench.wire.entries.find(({ method }) => method === 'initialize');
    assert.deepEqual(initialize?.params?.['capabilities'], { elicitation: { form: {}, url: {} } });
    const list = bench.wire.entries.filter(({ method }) => method === 'tools/list').at(-1);
    const meta = list?.params?.['_meta'] as Record<string, unknown>;
    assert.deepEqual(meta['io.modelcontextprotocol/clientCapabilities'], { elicitation: { form: {}, url: {} } });
  });

  for (const era of ['session', 'stateless'] as const) {
    it(`shows the whole address and tells the server which way the person chose (${era})`, async () => {
      const connection = await open(era);
      const call = ask(connection, page());
      const { request, answer } = await ui.visited();
      assert.equal(request.server.key, 'srv');
      assert.equal(request.message, 'Sign in to the bank');
      assert.deepEqual(request.page, {
        url: 'https://bank.example/connect?for=1&back=%2Fhome',
        before: 'https://',
        host: 'bank.example',
        after: '/connect?for=1&back=%2Fhome',
        warnings: [],
      });
      assert.equal(request.retries, era === 'stateless');
      answer({ action: 'accept', over: Promise.resolve(true) });
      assert.deepEqual(await call, { action: 'accept' });

      for (const [index, action] of (['decline', 'cancel'] as const).entries()) {
        const next = ask(connection, page());
        (await ui.visited(index + 1)).answer({ action });
        assert.deepEqual(await next, { action });
      }
      assert.deepEqual(ui.asked, []);
    });

    for (const [what, url, reason] of [
      ['a script', 'javascript:alert(1)', 'it begins with "javascript:", and only https may be opened'],
      ['a file', 'file:///etc/passwd', 'it begins with "file:", and only https may be opened'],
      ['an option', '--gpu-launcher=x', 'it looks like an option of a command'],
      ['several lines', 'https://a.example/\nx', 'it has a space, a line break or an invisible character in it'],
      ['no encryption', 'http://a.example/', 'a.example would be reached by http, without encryption'],
      ['no address at all', undefined, 'there is none'],
    ] as const) {
      it(`fault 47: refuses an address that is ${what}, says why, and asks nobody (${era})`, async () => {
        const connection = await open(era);
        const { code, message } = await errorOf(connection, page({ url }));
        assert.equal(code, -32602);
        assert.ok(message.includes(reason), message);
        assert.deepEqual(ui.visits, []);
      });
    }
  }

  it('fault 47: asks without an id too, and warns of a host in letters that pass for others', async () => {
    const connection = await open();
    const call = ask(connection, page({ url: 'https://аррӏе.com/', elicitationId: undefined }));
    const { request, answer } = await ui.visited();
    assert.equal(request.page.host, 'xn--80ak6aa92e.com');
    assert.match(request.page.warnings.join(), /reads “аррӏе\.com”, but is xn--80ak6aa92e\.com/);
    answer({ action: 'cancel' });
    assert.deepEqual(await call, { action: 'cancel' });
  });

  it('lets an open page go when the server says that it is done with, or the call is over', async () => {
    const connection = await open();
    const told = connection.callTool('visit', { params: page(), complete: ['other', 'one', 'one'] });
    const first = await ui.visited(0);
    const over = new Promise<boolean>(() => undefined);
    first.answer({ action: 'accept', over });
    await eventually(() => first.signal.aborted);
    await told;
    const untold = connection.callTool('visit', { params: page() });
    const second = await ui.visited(1);
    second.answer({ action: 'accept', over });
    await untold;
    assert.equal(second.signal.aborted, true);
  });

  it('waits for the person before the stateless request is sent again', async () => {
    const connection = await open('stateless');
    const call = ask(connection, page());
    let through: (well: boolean) => void = () => undefined;
    (await ui.visited()).answer({ action: 'accept', over: new Promise((resolve) => (through = resolve)) });
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(calls(), 1);
    through(true);
    assert.deepEqual(await call, { action: 'accept' });
    assert.equal(calls(), 2);
  });

  it('may be asked for again in the stateless era, where the person was not through with the page yet', async () => {
    const asks = {
      resultType: 'input_required',
      inputRequests: { a: { method: 'elicitation/create', params: page() } },
    };
    const done = { resultType: 'complete', content: [{ type: 'text', text: 'done' }] };
    const script = { 'tools/call': [asks, asks, asks, done] };
    const connection = await bench.connect('scripted.mjs', [JSON.stringify(script)]);
    const call = connection.callTool('run', {});
    for (const index of [0, 1, 2]) {
      (await ui.visited(index)).answer({ action: 'accept', over: Promise.resolve(true) });
    }
    assert.deepEqual((await call).content, done.content);
  });

  describe('where a request fails until a page was visited', () => {
    it('fault 47: sends it again when the person says so', async () => {
      const connection = await open();
      const call = locked(connection, {});
      const { request, answer } = await ui.visited();
      assert.deepEqual([request.retries, request.message], [true, 'Sign in to the bank']);
      answer({ action: 'accept', over: Promise.resolve(true) });
      assert.deepEqual((await call).content, [{ type: 'text', text: 'unlocked' }]);
      assert.equal(calls(), 2);
    });

    it('fault 47: sends it again when the server says that the visits are over; unknown ids are ignored', async () => {
      const connection = await open();
      await connection.callTool('notes', { complete: ['one', 7, 'never seen'] });
      const call = locked(connection, { pages: [page(), page({ elicitationId: 'two' })], complete: ['nobody', 'one'] });
      const first = await ui.visited(0);
      first.answer({ action: 'accept', over: new Promise(() => undefined) });
      const second = await ui.visited(1);
      assert.equal(first.signal.aborted, true);
      assert.equal(second.signal.aborted, false);
      second.answer({ action: 'accept', over: Promise.resolve(true) });
      assert.deepEqual((await call).content, [{ type: 'text', text: 'unlocked' }]);
    });

    for (const [what, visit, reason] of [
      ['declines', { action: 'decline' }, /wants a page at bank\.example visited first, and that was declined/],
      ['closes the question', { action: 'cancel' }, /visited first, and nobody finished that/],
      ['gives up', { action: 'accept', over: Promise.resolve(false) }, /visited first, and nobody finished that/],
    ] as const) {
      it(`fails with the reason when the person ${what}`, async () => {
        const connection = await open();
        const call = locked(connection, {}).catch((error: unknown) => error);
        (await ui.visited()).answer(visit);
        const error = (await call) as Error & { code: string };
        assert.equal(error.code, 'PAGE_REQUIRED');
        assert.match(error.message, reason);
        assert.equal(calls(), 1);
      });
    }

    it('gives up after three times, and says that the server kept asking', async () => {
      const connection = await open();
      const call = locked(connection, { times: 9 }).catch((error: unknown) => error);
      for (const index of [0, 1, 2]) {
        (await ui.visited(index)).answer({ action: 'accept', over: Promise.resolve(true) });
      }
      const { code, message } = (await call) as Error & { code: string };
      assert.equal(code, 'PAGE_REQUIRED');
      assert.match(message, /^"srv" kept asking for a page at bank\.example to be visited, 3 times .* then try again/);
      assert.equal(calls(), 4);
      assert.equal(ui.visits.length, 3);
    });

    it('stops asking when the call is cancelled', async () => {
      const connection = await open();
      const stop = new AbortController();
      const call = locked(connection, {}, { signal: stop.signal });
      const { signal } = await ui.visited();
      stop.abort();
      await assert.rejects(call, { code: 'CANCELLED' });
      assert.equal(signal.aborted, true);
    });

    for (const [what, pages, reason] of [
      ['no page', undefined, 'it does not say which'],
      ['an empty list', [], 'it does not say which'],
      ['a page that is refused', [page(), page({ url: 'javascript:x' })], 'only https may be opened'],
      ['a form', [{ message: 'x', requestedSchema: { type: 'object' } }], 'the mode "form" was not declared'],
      ['too many', Array.from({ length: 6 }, () => page()), 'it names 6 of them, and 5 are the most'],
    ] as const) {
      it(`asks nobody where the error names ${what}`, async () => {
        const connection = await open();
        const error = (await locked(connection, { pages }).catch((cause: unknown) => cause)) as Error & {
          code: string;
        };
        assert.equal(error.code, 'REPLY_INVALID');
        assert.ok(error.message.includes(reason), error.message);
        assert.deepEqual(ui.visits, []);
      });
    }
  });

  it('is not asked again and again: after five refusals in a row nobody is asked until the call is over', async () => {
    const connection = await open();
    const call = ask(
      connection,
      Array.from({ length: 7 }, () => page()),
    );
    for (let index = 0; index < 5; index += 1) {
      (await ui.visited(index)).answer({ action: 'decline' });
    }
    const answers = (await call) as { action: string }[];
    assert.deepEqual(
      answers.map(({ action }) => action),
      [...Array.from({ length: 5 }, () => 'decline'), 'cancel', 'cancel'],
    );
    assert.equal(ui.visits.length, 5);
  });
});
