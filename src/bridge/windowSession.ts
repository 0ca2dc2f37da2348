import type { AgentMessage } from './agentMessage';
import { type HttpAnswer, type HttpCall, type WindowHttp, WindowLost } from './windowHttp';

export interface SessionEnds {
  /** A message of the window that answers no request. */
  onMessage(text: string): void;
  /** The window does not know the session any more, as after a reload of its server. */
  onForgotten(): void;
  onLost(): void;
}

/** The window is there and does not let the bridge in, or does not serve what it wants. */
export class WindowRefused extends Error {
  constructor(readonly status: number) {
    super(`The window answered initialize with HTTP status ${status}.`);
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
  ) {}

  /** Opens a session by the agent's own `initialize`. Rejects with WindowLost, or WindowRefused. */
  static async open(http: WindowHttp, initialize: string, ends: SessionEnds): Promise<WindowSession> {
    let opening = '';
    const answer = await http.call({
      method: 'POST',
      headers: {},
      body: initialize,
      onMessage: (text) => (opening = text),
    });
    const id = answer.headers['mcp-session-id'];
    if (answer.status !== 200 || typeof id !== 'string') {
      throw new WindowRefused(answer.status);
    }
    return new WindowSession(http, id, answer.streamed ? opening : answer.text, ends);
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
        if (error instanceof WindowLost && !error.reached && !this.ended.signal.aborted) {
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

  /** Ends it in the window too. */
  async end(): Promise<void> {
    this.abandon();
    await this.http.call({ method: 'DELETE', headers: this.headers });
  }

  private get headers(): Record<string, string> {
    return { 'mcp-session-id': this.id };
  }
}

/** The opening of an agent that did not open. */
export function plainOpening(): AgentMessage {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'unknown', version: '0' } };
  const text = JSON.stringify({ jsonrpc: '2.0', id: 'portico', method: 'initialize', params });
  return { text, id: 'portico', method: 'initialize', params, statelessVersion: undefined };
}
