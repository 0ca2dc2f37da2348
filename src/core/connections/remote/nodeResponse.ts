import { parseInSlices } from '../../../base/slicedJson';
import { depthBound } from '../withinDepth';

/** A body above this many bytes is parsed while everything else goes on. */
const LONG = 262_144;

/** What a reply is made of: a whole body, or a stream of it. */
export interface NodeResponseInit {
  readonly status: number;
  readonly statusText?: string;
  readonly headers?: Headers;
  readonly body?: Buffer | ReadableStream<Uint8Array>;
  /** A body that has been parsed already. */
  readonly value?: unknown;
  /** What is made of the parsed body. */
  readonly read?: (value: unknown) => unknown;
}

/**
 * The part of `Response` that the SDK reads, without the web streams that make up a third of the cost of `fetch`:
 * a whole body stays the buffer that it came as.
 */
export class NodeResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly redirected = false;
  private readonly read: (value: unknown) => unknown;
  private readonly value: unknown;
  private readonly content: Buffer | ReadableStream<Uint8Array> | undefined;

  constructor(init: NodeResponseInit) {
    this.status = init.status;
    this.statusText = init.statusText ?? '';
    this.headers = init.headers ?? new Headers();
    this.value = init.value;
    this.content = init.body;
    this.read = init.read ?? ((value) => value);
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  /** Present for a streamed body alone. */
  get body(): ReadableStream<Uint8Array> | null {
    return this.content instanceof ReadableStream ? this.content : null;
  }

  async text(): Promise<string> {
    if (this.content === undefined) {
      return '';
    }
    const text =
      this.content instanceof ReadableStream ? await new Response(this.content).text() : this.content.toString('utf8');
    return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  }

  async json(): Promise<unknown> {
    const { content, value } = this;
    if (value !== undefined) {
      return value;
    }
    const isLong = content instanceof Buffer && content.length > LONG;
    return this.read(isLong ? await parseInSlices(content, depthBound) : JSON.parse(await this.text()));
  }

  /** As the SDK's transports take it; they use nothing of `Response` that is missing here. */
  asResponse(): Response {
    return this as unknown as Response;
  }
}
