import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import zlib from 'node:zlib';
import { connectionTo, stopAll } from '../testConnection';
import { answerTo, HttpFixture, plain, type Seen } from './httpFixture';

const DONE = [{ type: 'text', text: 'done' }];
const MEGABYTE = 1_048_576;
/** Node has it since 22.15. */
const { zstdCompressSync } = zlib as { zstdCompressSync?: (text: string) => Buffer };
const encoders: Readonly<Record<string, (text: string) => Buffer>> = {
  gzip: zlib.gzipSync,
  'X-Gzip': zlib.gzipSync,
  deflate: zlib.deflateSync,
  'deflate without its wrapping': zlib.deflateRawSync,
  br: zlib.brotliCompressSync,
  'gzip, br': (text) => zlib.brotliCompressSync(zlib.gzipSync(text)),
  ...(zstdCompressSync ? { zstd: zstdCompressSync } : {}),
};

describe('encoded bodies', () => {
  let fixture: HttpFixture | undefined;

  const serve = async (
    answerCall: (response: ServerResponse, text: string, seen: Seen) => void,
    messageBytes = 30 * MEGABYTE,
  ) => {
    fixture = await HttpFixture.start((seen, response, request) =>
      seen.message.method === 'tools/call'
        ? answerCall(response, JSON.stringify(answerTo(seen)), seen)
        : plain(seen, response, request),
    );
    const { connection } = connectionTo(
      { type: 'http', url: `${fixture.origin}/mcp`, headers: {} },
      { limits: { messageBytes } },
    );
    await connection.start({ interactive: false });
    return connection;
  };
  const head = (response: ServerResponse, coding: string, type = 'application/json'): ServerResponse =>
    response.writeHead(200, { 'content-type': type, 'content-encoding': coding.replace(/ without.*/, '') });

  afterEach(async () => {
    await stopAll();
    await fixture?.stop();
    fixture = undefined;
  });

  it('none is asked for', async () => {
    const connection = await serve((response, text) => head(response, 'identity').end(text));
    await connection.callTool('echo', {});
    assert.equal(fixture!.messages('tools/call')[0]?.headers['accept-encoding'], 'identity');
  });

  for (const [coding, encode] of Object.entries(encoders)) {
    it(`${coding} is decoded in JSON and in a stream`, async () => {
      const connection = await serve((response, text, { message }) =>
        message.params?.['name'] === 'stream'
          ? head(response, coding, 'text/event-stream').end(encode(`data: ${text}\n\n`))
          : head(response, coding).end(encode(text)),
      );
      assert.deepEqual((await connection.callTool('stream', {})).content, DONE);
      assert.deepEqual((await connection.callTool('json', {})).content, DONE);
    });
  }

  for (const [coding, make] of [
    ['gzip', zlib.createGzip],
    ['br', zlib.createBrotliCompress],
  ] as const) {
    it(`events come as they are written into a stream that stays open (${coding})`, async () => {
      const connection = await serve((response, text) => {
        const encoder = make();
        encoder.pipe(head(response, coding, 'text/event-stream'));
        encoder.write(`data: ${text}\n\n`);
        encoder.flush();
      });
      assert.deepEqual((await connection.callTool('echo', {})).content, DONE);
    });
  }

  for (const coding of ['gzip', 'deflate', 'br', 'utf-8', 'gzip, br']) {
    it(`what is not encoded although it says ${coding} is taken as it is`, async () => {
      const connection = await serve((response, text) => {
        const half = text.length / 2;
        head(response, coding).write(text.slice(0, half), () => response.end(text.slice(half)));
      });
      assert.deepEqual((await connection.callTool('echo', {})).content, DONE);
    });
  }

  for (const type of ['application/json', 'text/event-stream']) {
    it(`a body without its last bytes is read as far as it goes (${type})`, async () => {
      const connection = await serve((response, text) => {
        const whole = zlib.gzipSync(type === 'application/json' ? text : `data: ${text}\n\n`);
        head(response, 'gzip', type).end(whole.subarray(0, -8));
      });
      assert.deepEqual((await connection.callTool('echo', {})).content, DONE);
    });
  }

  it('a body that breaks says so', async () => {
    const connection = await serve((response, text) => {
      const whole = zlib.gzipSync(text);
      // After gzip's head comes a block of a kind that does not exist.
      head(response, 'gzip').end(whole.fill(0xff, 10));
    });
    await assert.rejects(connection.callTool('echo', {}), {
      code: 'CONNECTION_LOST',
      message: /"srv": its compressed answer \(gzip\) is broken/,
    });
  });

  for (const type of ['application/json', 'text/event-stream']) {
    it(`what is small on its way and huge after it stops at the cap (${type})`, async () => {
      const bomb = zlib.gzipSync(Buffer.concat([Buffer.from('data: '), Buffer.alloc(200 * MEGABYTE, 0x20)]));
      const connection = await serve((response) => head(response, 'gzip', type).end(bomb), 2 * MEGABYTE);
      const before = process.memoryUsage().arrayBuffers;
      await assert.rejects(connection.callTool('echo', {}), { code: 'MESSAGE_TOO_LARGE', message: /larger than 2 MB/ });
      const more = process.memoryUsage().arrayBuffers - before;
      assert.ok(more < 50 * MEGABYTE, `${more} bytes more`);
    });
  }
});
