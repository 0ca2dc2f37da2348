import assert from 'node:assert/strict';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { NullLogger } from '../../../src/base/log';
import { defaultListenerLimits } from '../../../src/server/listener';
import { RequestRouter } from '../../../src/server/requestRouter';
import type { RouteRequest } from '../../../src/server/serverTypes';
import { ManualClock } from './manualClock';

/** An answer of which the client takes nothing by itself. */
class HeldAnswer extends ServerResponse {
  looks = 0;
  held = 0;

  constructor(request: IncomingMessage) {
    super(request);
    const look = (): number => {
      this.looks += 1;
      return this.held;
    };
    Object.defineProperty(this, 'writableLength', { get: look });
  }
}

describe('answers that wait to be read', () => {
  let router: RequestRouter;
  let opened: (RouteRequest & { readonly response: HeldAnswer })[];

  beforeEach(() => {
    opened = [];
    router = new RequestRouter(
      () => ({ id: 'agent', label: 'Agent' }),
      new NullLogger(),
      { ...defaultListenerLimits, waitingBytes: 1_000 },
      new ManualClock(),
    );
    router.add({
      prefix: '/test',
      methods: ['GET'],
      handle: async (request) => void opened.push(request as (typeof opened)[number]),
    });
  });
  afterEach(() => router.dispose());

  async function request(): Promise<HeldAnswer> {
    const incoming = new IncomingMessage(new Socket());
    Object.assign(incoming, { method: 'GET', url: '/test' });
    Object.assign(incoming.headers, { host: 'localhost', authorization: 'Bearer token' });
    const response = new HeldAnswer(incoming);
    await router.serve(incoming, response, undefined);
    return response;
  }

  /** As whatever writes an answer does. */
  function write({ hasRoom, response }: (typeof opened)[number], bytes: number): boolean {
    const has = hasRoom();
    response.held += has ? bytes : 0;
    return has;
  }

  async function open(count: number): Promise<typeof opened> {
    for (let at = 0; at < count; at += 1) {
      await request();
    }
    return opened;
  }

  it('are looked at no more often where there are more of them', async () => {
    const looks = (): number => opened.reduce((sum, { response }) => sum + response.looks, 0);
    const all = await open(400);
    assert.ok(looks() <= 3 * 400, `${looks()} looks to open 400`);
    all.forEach(({ response }) => (response.looks = 0));
    assert.ok(all.every((each) => write(each, 1)));
    assert.ok(looks() <= 3 * 400, `${looks()} looks to write on each of 400`);
  });

  it('count from the moment that they are written, until they are taken or end', async () => {
    const [a, b, c, d] = await open(4);
    assert.ok(a && b && c && d);
    assert.deepEqual([write(a, 600), write(b, 600), write(c, 1)], [true, true, false]);
    assert.equal((await request()).statusCode, 429);
    a.response.held = 100;
    assert.deepEqual([write(c, 300), write(d, 1)], [true, false]);
    b.response.emit('close');
    assert.deepEqual([write(d, 600), write(a, 1)], [true, false]);
    [c, d].forEach(({ response }) => (response.held = 0));
    assert.equal((await request()).statusCode, 200);
    assert.deepEqual([write(c, 899), write(d, 1), write(a, 1)], [true, true, false]);
  });

  it('count as soon as they are made, once for what was made and is written', async () => {
    const [a, b] = await open(2);
    assert.ok(a && b);
    a.keeps(700);
    assert.deepEqual([write(b, 200), b.hasRoom()], [true, true]);
    a.keeps(0);
    a.response.held += 900;
    assert.deepEqual([b.hasRoom(), a.hasRoom()], [false, false]);
    a.response.held = 0;
    b.keeps(799);
    assert.equal(a.hasRoom(), true);
    b.keeps(800);
    assert.equal(a.hasRoom(), false);
  });
});
