import type { ServerResponse } from 'node:http';

/** How far a client has got with what was written on its connection. */
export interface Progress {
  /** Bytes that are yet to be written. */
  kept: number;
  /** Bytes that waited when they were counted, those that are yet to be written among them. */
  counted: number;
  /** Bytes that the system has taken over, and when that number was another. */
  taken: number;
  at: number;
}

/**
 * The answers that one client has open, and the sum of what waits in them: what is written counts at once; what was taken
 * is looked for only when the sum is too large, as there may be very many answers.
 */
export class ClientAnswers {
  private readonly open = new Map<ServerResponse, Progress>();
  private waiting = 0;
  /** Asked last whether there is room: written on since then, maybe. */
  private writing: ServerResponse | undefined;

  get size(): number {
    return this.open.size;
  }

  /** As they are now. */
  list(): readonly (readonly [ServerResponse, Progress])[] {
    return [...this.open];
  }

  add(response: ServerResponse, now: number): void {
    this.open.set(response, { kept: 0, counted: 0, taken: 0, at: now });
  }

  delete(response: ServerResponse): void {
    this.waiting -= this.open.get(response)?.counted ?? 0;
    this.open.delete(response);
    if (this.writing === response) {
      this.writing = undefined;
    }
  }

  /** Sets how much of an answer has been made that is yet to be written. */
  keeps(response: ServerResponse, bytes: number): void {
    const progress = this.open.get(response);
    if (progress !== undefined) {
      progress.kept = bytes;
      this.willWrite(response);
    }
  }

  /** Whether less than `most` bytes wait, so that something may be written on the answer, at once: later is asked again. */
  hasRoom(response: ServerResponse, most: number): boolean {
    this.willWrite(response);
    if (this.waiting >= most) {
      for (const each of this.open.keys()) {
        this.count(each);
      }
    }
    return this.waiting < most;
  }

  private willWrite(response: ServerResponse): void {
    if (this.writing !== undefined && this.writing !== response) {
      this.count(this.writing);
    }
    this.count(response);
    this.writing = response;
  }

  private count(response: ServerResponse): void {
    const progress = this.open.get(response);
    if (progress !== undefined) {
      const now = progress.kept + response.writableLength;
      this.waiting += now - progress.counted;
      progress.counted = now;
    }
  }
}
