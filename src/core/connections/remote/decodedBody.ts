import type { IncomingMessage } from 'node:http';
import { PassThrough, type Readable, type Transform } from 'node:stream';
import zlib from 'node:zlib';
import { ReplyLost } from '../replyLost';

type MakeDecoder = () => Transform;

const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = zlib.constants;
/** Each chunk is given out as it comes, and what is cut off ends with what came. */
const FLUSH = { flush: Z_SYNC_FLUSH, finishFlush: Z_SYNC_FLUSH };
const BROTLI_FLUSH = { flush: BROTLI_OPERATION_FLUSH, finishFlush: BROTLI_OPERATION_FLUSH };
const { createZstdDecompress } = zlib as { readonly createZstdDecompress?: MakeDecoder };

/** How bodies may be encoded (RFC 9110 8.4.1); some servers leave the wrapping off that belongs to "deflate". */
const CODINGS: Readonly<Record<string, readonly MakeDecoder[] | undefined>> = {
  gzip: [() => zlib.createGunzip(FLUSH)],
  'x-gzip': [() => zlib.createGunzip(FLUSH)],
  deflate: [() => zlib.createInflate(FLUSH), () => zlib.createInflateRaw(FLUSH)],
  br: [() => zlib.createBrotliDecompress(BROTLI_FLUSH)],
  ...(createZstdDecompress ? { zstd: [() => createZstdDecompress()] } : {}),
};
/** Nobody encodes more often, and each time costs memory. */
const MOST_CODINGS = 3;

/** The body of a reply without its encoding, for which it was not asked. What is not encoded as it says passes as it is. */
export function decodedBody(message: IncomingMessage, server: string): Readable {
  const named = (message.headers['content-encoding'] ?? '').split(',').map((coding) => coding.trim().toLowerCase());
  return named
    .flatMap((coding) => {
      const makers = CODINGS[coding];
      return makers ? [{ coding, makers }] : [];
    })
    .slice(-MOST_CODINGS)
    .reduceRight<Readable>((body, { coding, makers }) => {
      const broken = (cause: unknown): Error =>
        new ReplyLost(
          `Server "${server}": its compressed answer (${coding}) is broken. Look at the server's own log, and at what stands between you and it.`,
          server,
          cause,
        );
      return decodedBy(body, makers, broken);
    }, message);
}

/** Decodes by the first of these that makes something of it; gives the source itself where none does. */
function decodedBy(source: Readable, makers: readonly MakeDecoder[], broken: (cause: unknown) => Error): Readable {
  const [make, ...others] = makers;
  if (!make) {
    return source;
  }
  const decoder = make();
  const out = new PassThrough();
  /** What was put in while nothing has come out. */
  let held: Buffer[] | undefined = [];
  let failure: unknown;
  const hold = (chunk: Buffer): void => void held?.push(chunk);
  const finish = (): void => void (failure === undefined ? out.end() : out.destroy(failure as Error));
  const tryNext = (cause?: unknown): void => {
    if (others.length === 0 && !isText(held?.[0])) {
      out.destroy(broken(cause));
      return;
    }
    const again = new PassThrough();
    source.off('data', hold).unpipe(decoder);
    held?.forEach((chunk) => again.write(chunk));
    held = undefined;
    source.pipe(again);
    decodedBy(again, others, broken)
      .on('error', (error) => out.destroy(error))
      .pipe(out);
  };
  source.on('data', hold);
  source.on('error', (error) => {
    // What has come so far is given out first.
    failure = error;
    decoder.end();
  });
  decoder.once('data', () => {
    held = undefined;
    source.off('data', hold);
  });
  decoder.on('error', (error) => {
    if (held && failure === undefined) {
      tryNext(error);
    } else {
      out.destroy((failure as Error | undefined) ?? broken(error));
    }
  });
  decoder.on('end', () => {
    if (failure === undefined && held && held.length > 0) {
      tryNext();
    } else {
      finish();
    }
  });
  decoder.pipe(out, { end: false });
  source.pipe(decoder);
  out.on('close', () => {
    decoder.destroy();
    source.destroy();
  });
  return out;
}

/** Whether a body begins as texts do: JSON and event streams have no other control characters. */
function isText(bytes: Buffer | undefined): boolean {
  return (
    bytes?.subarray(0, 64).every((byte) => byte >= 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d) ?? false
  );
}
