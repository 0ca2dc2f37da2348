import { type AgentMessage, errorAnswer } from './agentMessage';
import { type BridgePorts, isRepeatable } from './bridgeTypes';
import { type HttpAnswer, sentUntil } from './windowHttp';
import { OpeningRejected, plainOpening, WindowRefused, WindowSession } from './windowSession';

/** An agent that opens with `initialize`: one session for it, whatever becomes of the windows. */
export class SessionEra {
  private opening: AgentMessage | undefined;
  /** Whether the agent has the answer to its opening. */
  private isOpen = false;
  private isInitialized = false;
  private logLevel: AgentMessage | undefined;
  private readonly subscribed = new Set<string>();
  private readonly cancelled = new Set<unknown>();
  private session: WindowSession | undefined;
  private connecting: Promise<WindowSession | undefined> | undefined;
  /** What must be with the window before the next message is sent: order counts for notifications. */
  private sent: Promise<unknown> = Promise.resolve();
  private readonly running = new Set<Promise<void>>();
  /** The revision of its last opening. */
  private asked: unknown;
  private ownIds = 0;

  constructor(private readonly ports: BridgePorts) {
    ports.link.onDidFind(() => {
      // Nothing is opened for an agent that has not opened yet.
      if (this.opening !== undefined) {
        this.reconnect();
      }
    });
  }

  /** Whether the agent may send several messages as one: up to 2025-03-26. */
  get hasBatches(): boolean {
    return this.asked === '2024-11-05' || this.asked === '2025-03-26';
  }

  receive(message: AgentMessage): void {
    const before = this.sent;
    if (message.method === 'initialize') {
      // Without an id it is a notification that there is not.
      if (message.id !== undefined) {
        this.asked = message.params['protocolVersion'];
        this.sent = this.run(
          message,
          before.then(() => this.initialize(message)),
        );
      }
      return;
    }
    let onSent = (): void => undefined;
    const isWith = new Promise<void>((resolve) => (onSent = resolve));
    const answered = this.run(
      message,
      before.then(() => this.deliver(message, onSent)),
    ).finally(onSent);
    this.sent = Promise.all([before, message.id === undefined ? answered : isWith]);
  }

  /** Settles once every request has its answer. */
  async settled(): Promise<void> {
    while (this.running.size > 0) {
      await Promise.all(this.running);
    }
  }

  /** Ends the session in the window. */
  async end(): Promise<void> {
    const { session } = this;
    this.session = undefined;
    this.opening = undefined;
    await session?.end();
  }

  /** Never rejects, and leaves no request without an answer. */
  private run(message: AgentMessage, work: Promise<void>): Promise<void> {
    const done = work
      .catch((error: unknown) => {
        const isRejected = error instanceof OpeningRejected;
        if (!isRejected) {
          this.ports.say(`A message failed in the bridge: ${String(error)}`);
        }
        if (message.id !== undefined && message.method !== undefined) {
          this.out(
            isRejected
              ? this.ports.reader.refusal(message, error.status, error.text)
              : errorAnswer(message.id, -32_603, 'The message failed in the bridge.'),
          );
        }
      })
      .finally(() => this.running.delete(done));
    this.running.add(done);
    return done;
  }

  private async initialize(message: AgentMessage): Promise<void> {
    const { opening, isOpen } = this;
    this.isOpen = false;
    // A session that is just being opened is that of the opening before.
    await Promise.allSettled([this.connecting]);
    this.drop();
    this.opening = message;
    let session: WindowSession | undefined;
    try {
      session = await this.connect();
    } catch (error) {
      // The agent goes on as it was.
      this.opening = opening;
      this.isOpen = isOpen;
      throw error;
    }
    this.isInitialized = false;
    this.subscribed.clear();
    this.ports.out(
      session === undefined
        ? this.ports.offline.answer(message)
        : this.ports.reader.read(message, session.opening).text,
    );
    this.isOpen = true;
    void session?.listen();
  }

  private async deliver(message: AgentMessage, onSent: () => void): Promise<void> {
    this.remember(message);
    for (let attempt = 0; ; attempt += 1) {
      const session = await this.connect();
      if (session === undefined) {
        if (message.id !== undefined && message.method !== undefined) {
          this.ports.out(this.ports.offline.answer(message));
        }
        return;
      }
      let answer: HttpAnswer;
      let isAnswered = false;
      try {
        answer = await session.post(message.text, {
          onSent,
          onMessage: (text) => {
            const read = this.ports.reader.read(message, text);
            isAnswered ||= read.isAnswer;
            this.out(read.text);
          },
        });
      } catch (error) {
        const sent = sentUntil(error);
        if (sent === 'nothing') {
          this.lose(session);
        }
        if (isAnswered || message.method === undefined || (message.id === undefined && sent === 'all')) {
          return;
        }
        if (attempt < 3 && (sent !== 'all' || isRepeatable(message.method))) {
          continue;
        }
        if (message.id !== undefined) {
          this.ports.out(this.ports.offline.lost(message, sent));
        }
        return;
      }
      if ((answer.status === 404 || answer.status === 401) && attempt < 3) {
        this.forget(session, answer.status);
        continue;
      }
      if (answer.status === 429 && attempt < 3) {
        await pause(Number(answer.headers['retry-after'] ?? 1) * 1000);
        continue;
      }
      this.finish(message, answer, isAnswered);
      return;
    }
  }

  private finish(message: AgentMessage, answer: HttpAnswer, isAnswered: boolean): void {
    const isRequest = message.id !== undefined && message.method !== undefined;
    if (answer.streamed || answer.text === '') {
      // A request that was cancelled ends without an answer.
      if (isRequest && !isAnswered && !this.cancelled.delete(message.id)) {
        this.ports.out(this.ports.offline.lost(message, 'all'));
      }
      return;
    }
    const read = this.ports.reader.read(message, answer.text);
    if (read.isAnswer) {
      this.out(read.text);
    } else if (isRequest) {
      this.out(this.ports.reader.refusal(message, answer.status, answer.text));
    }
  }

  /** What a new window must be told again. */
  private remember({ method, params, text }: AgentMessage): void {
    const { uri } = params;
    if (method === 'notifications/initialized') {
      this.isInitialized = true;
    } else if (method === 'notifications/cancelled') {
      this.cancelled.add(params['requestId']);
    } else if (method === 'logging/setLevel') {
      this.logLevel = { text, method, params, id: undefined, statelessVersion: undefined };
    } else if (method === 'resources/subscribe' && typeof uri === 'string') {
      this.subscribed.add(uri);
    } else if (method === 'resources/unsubscribe' && typeof uri === 'string') {
      this.subscribed.delete(uri);
    }
  }

  /** The session with the window of now, opened where there is none. */
  private async connect(): Promise<WindowSession | undefined> {
    const { session } = this;
    if (session !== undefined && (await this.ports.link.get()) === session.http && this.session === session) {
      return session;
    }
    this.connecting ??= this.open().finally(() => (this.connecting = undefined));
    return this.connecting;
  }

  private async open(): Promise<WindowSession | undefined> {
    this.drop();
    const plain = plainOpening();
    if (this.opening === undefined) {
      this.opening = plain;
      this.isOpen = true;
    }
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const http = await this.ports.link.get();
      if (http === undefined) {
        return undefined;
      }
      try {
        const session: WindowSession = await WindowSession.open(http, this.opening.text, {
          onMessage: (text) => this.out(oneLineOf(text)),
          onForgotten: () => {
            this.forget(session, 404);
            this.reconnect();
          },
          onLost: () => this.lose(session),
        });
        // One that was lost while it was brought up to date.
        this.session?.abandon();
        this.session = session;
        if (this.isOpen) {
          await this.resume(session);
          void session.listen();
        }
        return session;
      } catch (error) {
        if (error instanceof WindowRefused) {
          this.ports.link.refused(http, error.how);
          return undefined;
        }
        if (!(error instanceof OpeningRejected)) {
          this.ports.link.lost(http);
        } else if (error.status === 429 && attempt < 2) {
          await pause(1_000);
        } else if (this.isOpen && this.opening.text !== plain.text) {
          // The agent was told that it is open, such as by a window before.
          this.opening = plain;
        } else {
          throw error;
        }
      }
    }
    return undefined;
  }

  private reconnect(): void {
    this.connect().catch((error: unknown) => this.ports.say(String(error)));
  }

  /** Brings a window up to what the agent has said to the one before, and the agent up to what may be different. */
  private async resume(session: WindowSession): Promise<void> {
    if (!this.isInitialized) {
      return;
    }
    await session.post(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
    if (this.logLevel !== undefined) {
      await session.post(this.ownRequest('logging/setLevel', this.logLevel.params));
    }
    for (const uri of this.subscribed) {
      await session.post(this.ownRequest('resources/subscribe', { uri }));
    }
    for (const list of ['tools', 'prompts', 'resources']) {
      this.out(JSON.stringify({ jsonrpc: '2.0', method: `notifications/${list}/list_changed` }));
    }
    for (const uri of this.subscribed) {
      this.out(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } }));
    }
  }

  private ownRequest(method: string, params: Readonly<Record<string, unknown>>): string {
    this.ownIds += 1;
    return JSON.stringify({ jsonrpc: '2.0', id: `portico-${this.ownIds}`, method, params });
  }

  /** Ends the session of now, in its window too. */
  private drop(): void {
    const { session } = this;
    this.session = undefined;
    session?.end().catch((error: unknown) => this.ports.say(`A session did not end: ${String(error)}`));
  }

  private lose(session: WindowSession): void {
    session.abandon();
    this.ports.link.lost(session.http);
  }

  /** The window is there, but knows neither this session nor, with 401, this bridge. */
  private forget(session: WindowSession, status: number): void {
    session.abandon();
    if (this.session === session) {
      this.session = undefined;
    }
    if (status === 401) {
      this.ports.link.lost(session.http);
    }
  }

  private out(text: string): void {
    if (text !== '') {
      this.ports.out(text);
    }
  }
}

function oneLineOf(text: string): string {
  return text.includes('\n') ? JSON.stringify(JSON.parse(text)) : text;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
