import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { NullLogger } from '../../../../src/base/log';
import { listenForReturn, type LoopbackReturn } from '../../../../src/vscode/auth/loopbackReturn';
import { PendingReturns } from '../../../../src/vscode/auth/pendingReturns';

describe('the listener on loopback', () => {
  let returns: PendingReturns;
  let listener: LoopbackReturn;
  beforeEach(async () => {
    returns = new PendingReturns(new NullLogger());
    listener = await listenForReturn(returns);
  });
  afterEach(() => listener.dispose());

  const refused = async (url: string): Promise<void> => {
    await assert.rejects(fetch(url), (error: Error & { cause?: { code?: string } }) => {
      assert.equal(error.cause?.code, 'ECONNREFUSED');
      return true;
    });
  };

  it('takes one return at one path of 127.0.0.1 and is gone after it', async () => {
    assert.match(listener.url, /^http:\/\/127\.0\.0\.1:\d+\/auth$/);
    const trip = returns.expect('s1');
    const answer = await fetch(`${listener.url}?code=a%2Bb&state=s1`);
    assert.equal(answer.status, 200);
    assert.match(await answer.text(), /You can close this page/);
    assert.equal((await trip.returned).get('code'), 'a+b');
    await refused(`${listener.url}?code=x&state=s1`);
  });

  it('goes on listening after what is not its return, and answers with nothing of it', async () => {
    const trip = returns.expect('s1');
    const origin = new URL(listener.url).origin;
    for (const [path, status] of [
      ['/', 404],
      ['/auth/', 404],
      ['/authx?state=s1', 404],
      ['//auth?state=s1', 404],
      ['/favicon.ico', 404],
      ['/auth', 400],
      ['/auth?state=<script>&code=<b>', 400],
      ['/auth?state=s1&state=s1', 400],
    ] as const) {
      const answer = await fetch(origin + path);
      assert.equal(answer.status, status, path);
      const text = await answer.text();
      assert.ok(!text.includes('<script') && !text.includes('<b>'), path);
    }
    const posted = await fetch(`${listener.url}?state=s1`, { method: 'POST' });
    assert.deepEqual([posted.status, posted.headers.get('allow')], [405, 'GET']);
    await posted.text();
    const last = await fetch(`${listener.url}?state=s1&error=access_denied`);
    assert.match(last.headers.get('content-security-policy') ?? '', /default-src 'none'/);
    assert.deepEqual([last.status, last.headers.get('cache-control')], [200, 'no-store']);
    await last.text();
    assert.equal((await trip.returned).get('error'), 'access_denied');
  });

  it('hands the return over though the browser hangs up', async () => {
    const trip = returns.expect('s1');
    const call = request(`${listener.url}?state=s1&code=a`);
    call.on('error', () => undefined);
    call.end();
    await once(call, 'socket');
    call.once('response', () => call.destroy());
    assert.equal((await trip.returned).get('code'), 'a');
  });

  it('lets go of its port when it is given up, connections that say nothing included', async () => {
    const { port } = new URL(listener.url);
    const silent = connect(Number(port), '127.0.0.1');
    await once(silent, 'connect');
    const closed = once(silent, 'close');
    silent.on('error', () => undefined);
    listener.dispose();
    await closed;
    await refused(listener.url);
  });
});
