import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ListenerLimits } from './serverTypes';

/** Who is cut off while it sends hears no answer, so what is too large is read on and thrown away, up to so many times the limit. */
const DRAINED = 4;

/** More than one body may have, or more than is kept of all of its client's. */
export type Refusal = 'tooLarge' | 'tooMuch';

const nothing = Buffer.alloc(0);

/** The bodies of requests. They count from their first byte on until the answer, as what they say is in memory as long. */
export class RequestBodies {
  private readonly held = new Map<string, number>();

  constructor(private readonly limits: Pick<ListenerLimits, 'bodyBytes' | 'unansweredBytes'>) {}

  /** Reads a whole body as UTF-8, or nothing of what is refused. Rejects where the client goes away meanwhile. */
  read(
    client: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<{ readonly text: string } | Refusal> {
    const { bodyBytes } = this.limits;
    return new Promise((resolve, reject) => {
      if (Number(request.headers['content-length'] ?? 0) > DRAINED * bodyBytes) {
        resolve('tooLarge');
        return;
      }
      let bytes: Buffer = nothing;
      let size = 0;
      let held = 0;
      let refusal: Refusal | undefined;
      const release = (): void => {
        this.hold(client, -held);
        held = 0;
        bytes = nothing;
      };
      const take = (chunk: Buffer): void => {
        refusal = size + chunk.length > bodyBytes ? 'tooLarge' : (refusal ?? this.refusalOf(client, chunk));
        if (refusal === undefined) {
          this.hold(client, chunk.length);
          held += chunk.length;
          bytes = appended(bytes, size, chunk);
        } else {
          release();
        }
        size += chunk.length;
        if (size > DRAINED * bodyBytes) {
          request.off('data', take).pause();
          resolve('tooLarge');
        }
      };
      request.on('data', take);
      response.once('close', release);
      request.once('end', () => {
        resolve(refusal ?? { text: bytes.toString('utf8', 0, size) });
        bytes = nothing;
      });
      request.once('error', reject);
      request.once('close', () => {
        if (!request.complete) {
          reject(new Error('The client went away.'));
        }
      });
    });
  }

  private refusalOf(client: string, chunk: Buffer): Refusal | undefined {
    return (this.held.get(client) ?? 0) + chunk.length > this.limits.unansweredBytes ? 'tooMuch' : undefined;
  }

  private hold(client: string, bytes: number): void {
    const held = (this.held.get(client) ?? 0) + bytes;
    if (held === 0) {
      this.held.delete(client);
    } else {
      this.held.set(client, held);
    }
  }
}

/** Bytes with a chunk behind the first `size` of them, in one piece: by themselves, small chunks take many times what they hold. */
function appended(bytes: Buffer, size: number, chunk: Buffer): Buffer {
  if (size === 0) {
    return chunk;
  }
  const whole = size + chunk.length <= bytes.length ? bytes : Buffer.allocUnsafe(2 * (size + chunk.length));
  if (whole !== bytes) {
    bytes.copy(whole, 0, 0, size);
  }
  chunk.copy(whole, size);
  return whole;
}
