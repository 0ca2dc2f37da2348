import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { AnswerBacklog } from '../../../../src/core/connections/answerBacklog';
import { LineOutput } from '../../../../src/core/connections/lineOutput';
import { FakeClock } from './fakeClock';

const MB = 1_048_576;

/** A pipe whose other side takes what `take` lets through, and what is done about what it does not take. */
function opened() {
  const clock = new FakeClock();
  const seen: string[] = [];
  let texts: string[] = [];
  let waiting: (() => void) | undefined;
  const pipe = new Writable({
    decodeStrings: false,
    write: (chunk: string | Buffer, _encoding, done) => {
      texts.push(String(chunk));
      waiting = done;
    },
  });
  const answers = new AnswerBacklog({ pause: () => seen.push('pause'), resume: () => seen.push('resume') }, clock, () =>
    seen.push('too much'),
  );
  /** Reads all that there is, and gives the messages. */
  const take = async (): Promise<readonly JSONRPCMessage[]> => {
    while (waiting) {
      const done = waiting;
      waiting = undefined;
      done();
      await setImmediate();
    }
    const lines = texts.join('').split('\n');
    texts = [];
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as JSONRPCMessage);
  };
  return { clock, seen, pipe, take, output: new LineOutput(pipe, answers) };
}

const call = (id: number, size: number): JSONRPCMessage => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { text: 'x'.repeat(size) },
});
const answer = (id: number, size: number): JSONRPCMessage => ({
  jsonrpc: '2.0',
  id: `s${id}`,
  result: { text: 'x'.repeat(size) },
});
const idsOf = (messages: readonly JSONRPCMessage[]): unknown[] =>
  messages.map((message) => ('id' in message ? message.id : 'method' in message && message.method));

describe('line output', () => {
  it('keeps the order, whatever is long and whatever waits', async () => {
    const { output, take } = opened();
    const sent = [call(1, 10), call(2, MB), call(3, 10), answer(4, 200_000), call(5, 100_000), call(6, 10)];
    const done = Promise.all(sent.map((message) => output.send(message)));
    let got: JSONRPCMessage[] = [];
    while (got.length < sent.length) {
      got = [...got, ...(await take())];
      await setImmediate();
    }
    assert.deepEqual(got, sent);
    await done;
  });

  it('sends nothing of a request that was given up before its turn, and no word on it', async () => {
    const { output, take } = opened();
    const cancel = (requestId: number): JSONRPCMessage => ({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId },
    });
    for (const id of [1, 2, 3, 4, 5]) {
      void output.send(call(id, 100_000));
    }
    void output.send(call(6, MB));
    for (const id of [5, 6, 1]) {
      void output.send(cancel(id));
    }
    assert.deepEqual(idsOf(await take()), [1, 2, 3, 4, 'notifications/cancelled']);
  });

  it('lets go of all that waits when the pipe closes', async () => {
    const { output, pipe } = opened();
    const sent = Promise.all(
      [call(1, 10), call(2, 300_000), call(3, MB), call(4, 10)].map((each) => output.send(each)),
    );
    pipe.destroy();
    await sent;
  });
});

describe('answers that a server does not take', () => {
  const owe = (output: LineOutput, total: number): void => {
    for (let size = 0; size < total; size += 100_000) {
      void output.send(answer(size, 100_000));
    }
  };

  it('stop the reading until they are taken', async () => {
    const { output, seen, take } = opened();
    owe(output, 900_000);
    assert.deepEqual(seen, []);
    owe(output, 300_000);
    assert.deepEqual(seen, ['pause']);
    assert.equal((await take()).length, 12);
    assert.deepEqual(seen, ['pause', 'resume']);
  });

  it('are no matter where it is what we ask that it does not take', async () => {
    const { output, seen, clock } = opened();
    for (let id = 0; id < 60; id += 1) {
      void output.send(call(id, MB));
    }
    void output.send(answer(1, 10));
    await clock.pass(60_000);
    assert.deepEqual(seen, []);
  });

  it('are waited for a while; then it may write on, and is given up in the end', async () => {
    const { output, seen, clock, take } = opened();
    owe(output, 2 * MB);
    await clock.pass(1_000);
    assert.deepEqual(seen, ['pause', 'resume']);
    await clock.pass(60_000);
    owe(output, 32 * MB);
    assert.deepEqual(seen, ['pause', 'resume', 'pause']);
    await take();
    assert.deepEqual(seen, ['pause', 'resume', 'pause', 'resume']);
    owe(output, 40 * MB);
    await clock.pass(1_000);
    assert.equal(seen.length, 5);
    await clock.pass(9_000);
    assert.equal(seen.at(-1), 'pause');
    await clock.pass(1_000);
    assert.equal(seen.at(-1), 'too much');
  });
});
