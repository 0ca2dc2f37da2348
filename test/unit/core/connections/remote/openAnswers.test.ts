import assert from 'node:assert/strict';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { boundAnswers } from '../../../../../src/core/connections/remote/openAnswers';
import type { RemoteTransport } from '../../../../../src/core/connections/remote/remoteTypes';

/** A transport whose answers are taken when the test says so. */
function opened() {
  const sent: JSONRPCMessage[] = [];
  const takes: (() => void)[] = [];
  let tooMany = 0;
  const transport: RemoteTransport = {
    start: async () => undefined,
    close: async () => undefined,
    terminate: async () => undefined,
    send: (message) => {
      sent.push(message);
      return 'method' in message ? Promise.resolve() : new Promise((resolve) => takes.push(resolve));
    },
  };
  boundAnswers(transport, () => (tooMany += 1));
  return { transport, sent, takes, tooMany: () => tooMany };
}

const answer = (id: number): JSONRPCMessage => ({ jsonrpc: '2.0', id, result: {} });

describe('answers over HTTP', () => {
  it('are sent a few at once, in order, and requests beside them', async () => {
    const { transport, sent, takes, tooMany } = opened();
    const all = Promise.all(Array.from({ length: 40 }, (_, id) => transport.send(answer(id))));
    assert.equal(sent.length, 16);
    await transport.send({ jsonrpc: '2.0', id: 'r', method: 'ping' });
    assert.equal(sent.length, 17);
    for (let next = takes.shift(); next; next = takes.shift()) {
      next();
      await new Promise(setImmediate);
    }
    await all;
    const ids = sent.map((message) => ('id' in message ? message.id : undefined));
    assert.deepEqual(
      ids.filter((id) => id !== 'r'),
      Array.from({ length: 40 }, (_, id) => id),
    );
    assert.equal(tooMany(), 0);
  });

  it('that the server does not take are bounded', async () => {
    const { transport, sent, tooMany } = opened();
    for (let id = 0; id < 10_000; id += 1) {
      void transport.send(answer(id));
    }
    assert.equal(tooMany(), 0);
    await Promise.all([transport.send(answer(10_000)), transport.send(answer(10_001))]);
    assert.deepEqual([sent.length, tooMany()], [16, 1]);
  });
});
