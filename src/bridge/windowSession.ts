import { setMaxListeners } from 'node:events';
import { type Clock, systemClock } from '../base/clock';
import { isObject } from '../base/jsonObject';
import type { AgentMessage } from './agentMessage';
import { type HttpAnswer, type HttpCall, type WindowHttp, WindowLost } from './windowHttp';

export interface SessionEnds {
  /** A message of the window that answers no request. */
  onMessage(text: string): void;
  /** The window does not know the session any more, as after a reload of its server. */
  onForgotten(): void;
  onLost(): void;
}

/** How long a window may take to open a session, in milliseconds. */
const openingMs = 3_000;

/** The window is there and opens no session: `how` goes on with a sentence about it. */
export class WindowRefused extends Error {
  constructor(readonly how: string) {
    super(`The window ${how}.`);
  }
}

/** The window does not take this opening; its answer is that to the agent's. */
export class OpeningRejected extends Error {
  constructor(
    readonly status: number,
    readonly text: string,
  ) {
    super(`The window does not take the opening (HTTP status ${status}).`);
  }
}

/** One session of the session era with one window. */
export class WindowSession {
  private readonly ended = new AbortController();

  private constructor(
    readonly http: WindowHttp,
    private readonly id: string,
    /** The answer to `initialize`, as it came. */
    readonly opening: string,
    private readonly ends: SessionEnds,
  ) {
    // Every request that is running listens for the end, however many there are.
    setMaxListeners(0, this.ended.signal);
  }

  /** Opens a session by the agent's own `initialize`. Rejects with WindowLost, WindowRefused or OpeningRejected. */
  static async open(
    http: WindowHttp,
    initialize: string,
    ends: SessionEnds,
    clock: Clock = systemClock,
  ): Promise<WindowSession> {
    let opening = '';
    const late = new AbortController();
    const timer = clock.after(openingMs, () => late.abort());
    let answer: HttpAnswer;
    try {
      answer = await http.call({
        method: 'POST',
        headers: {},
        body: initialize,
        signal: late.signal,
        onMessage: (text) => (opening = text),
      });
    } catch (error) {
      throw late.signal.aborted ? new WindowRefused('does not answer') : error;
    } finally {
      timer.dispose();
    }
    if ([401, 403, 404].includes(answer.status)) {
      throw new WindowRefused(`does not serve this to agents (HTTP status ${answer.status})`);
    }
    // Without a time to come again there is no room until others leave.
    if (answer.status === 429 && answer.headers['retry-after'] === undefined) {
      throw new WindowRefused(`opens no session now: ${messageOf(answer.text)}`);
    }
    const id = answer.headers['mcp-session-id'];
    const text = answer.streamed ? opening : answer.text;
    const session = typeof id === 'string' ? new WindowSession(http, id, text, ends) : undefined;
    if (answer.status !== 200 || session === undefined || !hasResult(text)) {
      await session?.end();
      throw new OpeningRejected(answer.status, text);
    }
    return session;
  }

  post(text: string, more: Pick<HttpCall, 'onMessage' | 'onSent'> = {}): Promise<HttpAnswer> {
    return this.http.call({ method: 'POST', headers: this.headers, body: text, signal: this.ended.signal, ...more });
  }

  /** Hears what the window says of itself, until the session ends. */
  async listen(): Promise<void> {
    while (!this.ended.signal.aborted) {
      try {
        const { status } = await this.http.call({
          method: 'GET',
          headers: this.headers,
          signal: this.ended.signal,
          isListening: true,
          onMessage: (text) => this.ends.onMessage(text),
        });
        if (status === 404) {
          this.ends.onForgotten();
          return;
        }
        if (status !== 200) {
          return;
        }
      } catch (error) {
        if (error instanceof WindowLost && error.sent === 'nothing' && !this.ended.signal.aborted) {
          this.ends.onLost();
          return;
        }
      }
      // The stream ended, and the window may be on its way out.
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  /** Lets go of it here; what it runs in the window ends. */
  abandon(): void {
    this.ended.abort();
  }

  /** Ends it in the window too, where that is still there. */
  async end(): Promise<void> {
    this.abandon();
    try {
      await this.http.call({ method: 'DELETE', headers: this.headers });
    } catch (error) {
      if (!(error instanceof WindowLost)) {
        throw error;
      }
    }
  }

  private get headers(): Record<string, string> {
    return { 'mcp-session-id': this.id };
  }
}

/** What an error says, without the full stop of its sentence. */
function messageOf(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    const message = isObject(value) && isObject(value['error']) ? value['error']['message'] : undefined;
    return typeof message === 'string' ? message.replace(/\.$/, '') : 'it gave no reason';
  } catch {
    // What is no JSON gives no reason either.
    return 'it gave no reason';
  }
}

function hasResult(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && isObject(value['result']);
  } catch {
    // What is no JSON is no answer either.
    return false;
  }
}

/** The opening of an agent that did not open. */
export function plainOpening(): AgentMessage {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'unknown', version: '0' } };
  const text = JSON.stringify({ jsonrpc: '2.0', id: 'portico', method: 'initialize', params });
  return { text, id: 'portico', method: 'initialize', params, statelessVersion: undefined };
}
