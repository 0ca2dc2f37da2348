import { isObject } from '../base/jsonObject';
import { type AgentMessage, errorAnswer, statelessHeaders } from './agentMessage';
import { type BridgePorts, isRepeatable } from './bridgeTypes';
import { type HttpAnswer, type HttpCall, type WindowHttp, WindowLost, sentUntil } from './windowHttp';

const subscriptionKey = 'io.modelcontextprotocol/subscriptionId';
const listNotices: Readonly<Record<string, string>> = {
  toolsListChanged: 'notifications/tools/list_changed',
  promptsListChanged: 'notifications/prompts/list_changed',
  resourcesListChanged: 'notifications/resources/list_changed',
};

/** Requests of the stateless era: each goes to the window of now by itself; what is listened to goes on over windows. */
export class StatelessEra {
  private readonly running = new Map<string | number, AbortController>();
  private readonly asked = new Set<Promise<void>>();

  constructor(private readonly ports: BridgePorts) {}

  receive(message: AgentMessage): void {
    const { id } = message;
    const gone = new AbortController();
    if (id === undefined) {
      void this.notify(message);
      return;
    }
    this.running.set(id, gone);
    const isListening = message.method === 'subscriptions/listen';
    const done = (isListening ? this.listen(message, gone.signal) : this.ask(message, gone.signal))
      .catch((error: unknown) => {
        this.ports.say(`A request failed in the bridge: ${String(error)}`);
        this.ports.out(errorAnswer(id, -32_603, 'The request failed in the bridge.'));
      })
      .finally(() => {
        this.running.delete(id);
        this.asked.delete(done);
      });
    if (!isListening) {
      this.asked.add(done);
    }
  }

  /** Settles once every request has its answer; what only listens is none. */
  async settled(): Promise<void> {
    while (this.asked.size > 0) {
      await Promise.all(this.asked);
    }
  }

  /** Takes a cancellation that is about one of its requests: over HTTP that is the end of the connection. */
  cancel(message: AgentMessage): boolean {
    const id = message.method === 'notifications/cancelled' ? message.params['requestId'] : undefined;
    const running = typeof id === 'string' || typeof id === 'number' ? this.running.get(id) : undefined;
    running?.abort();
    return running !== undefined;
  }

  end(): void {
    this.running.forEach((running) => running.abort());
  }

  private async notify(message: AgentMessage): Promise<void> {
    const http = await this.ports.link.get();
    await http
      ?.call({ method: 'POST', headers: statelessHeaders(message), body: message.text })
      .catch((error: unknown) => {
        this.ports.say(`A notification did not reach the window: ${String(error)}`);
      });
  }

  private async ask(message: AgentMessage, signal: AbortSignal): Promise<void> {
    for (let attempt = 0; ; attempt += 1) {
      const http = await this.ports.link.get();
      if (signal.aborted) {
        return;
      }
      if (http === undefined) {
        this.ports.out(this.ports.offline.answer(message));
        return;
      }
      let isAnswered = false;
      let answer: HttpAnswer;
      try {
        const onMessage = (text: string): void => {
          const read = this.ports.reader.read(message, text);
          isAnswered ||= read.isAnswer;
          this.ports.out(read.text);
        };
        answer = await this.post(http, message, { signal, onMessage });
      } catch (error) {
        if (signal.aborted || isAnswered) {
          return;
        }
        const sent = sentUntil(error);
        if (sent === 'nothing') {
          this.ports.link.lost(http);
        }
        if (attempt < 3 && (sent !== 'all' || isRepeatable(message.method))) {
          continue;
        }
        this.ports.out(this.ports.offline.lost(message, sent));
        return;
      }
      if (answer.status === 401 && attempt < 3) {
        this.ports.link.lost(http);
        continue;
      }
      if (answer.status === 429 && attempt < 3) {
        await pause(Number(answer.headers['retry-after'] ?? 1) * 1000);
        continue;
      }
      if (answer.streamed) {
        if (!isAnswered) {
          this.ports.out(this.ports.offline.lost(message, 'all'));
        }
        return;
      }
      const read = this.ports.reader.read(message, answer.text);
      this.ports.out(read.isAnswer ? read.text : this.ports.reader.refusal(message, answer.status, answer.text));
      return;
    }
  }

  /** Listens until the agent cancels. A window that goes ends nothing: the next one is listened to instead. */
  private async listen(message: AgentMessage, signal: AbortSignal): Promise<void> {
    let isAcknowledged = false;
    while (!signal.aborted) {
      const http = await this.ports.link.get();
      if (http === undefined) {
        if (!isAcknowledged) {
          isAcknowledged = true;
          this.tell(message, 'notifications/subscriptions/acknowledged', {
            notifications: message.params['notifications'] ?? {},
          });
        }
        await pause(500);
        continue;
      }
      let result: string | undefined;
      let honoured: unknown;
      try {
        const onMessage = (text: string): void => {
          const value: unknown = JSON.parse(text);
          if (isObject(value) && value['method'] === 'notifications/subscriptions/acknowledged') {
            honoured = isObject(value['params']) ? value['params']['notifications'] : undefined;
            if (isAcknowledged) {
              this.tellAll(message);
            } else {
              this.ports.out(text);
            }
            isAcknowledged = true;
          } else if (isObject(value) && value['id'] === message.id && value['method'] === undefined) {
            result = text;
          } else {
            this.ports.out(text);
          }
        };
        const answer = await this.post(http, message, { signal, onMessage, isListening: true });
        if (!answer.streamed && answer.status !== 401) {
          this.ports.out(this.ports.reader.refusal(message, answer.status, answer.text));
          return;
        }
        if (answer.status === 401) {
          this.ports.link.lost(http);
        }
      } catch (error) {
        if (error instanceof WindowLost && error.sent === 'nothing' && !signal.aborted) {
          this.ports.link.lost(http);
        }
      }
      if (result !== undefined && isObject(honoured) && Object.keys(honoured).length === 0) {
        // There was nothing to listen to; any other end is that of the window.
        this.ports.out(result);
        return;
      }
      await pause(100);
    }
  }

  /** All that the agent listens to may be different in another window. */
  private tellAll(message: AgentMessage): void {
    const { notifications } = message.params;
    for (const [wish, value] of Object.entries(isObject(notifications) ? notifications : {})) {
      const method = listNotices[wish];
      if (method !== undefined && value === true) {
        this.tell(message, method, {});
      } else if (wish === 'resourceSubscriptions' && Array.isArray(value)) {
        value.forEach((uri) => this.tell(message, 'notifications/resources/updated', { uri }));
      }
    }
  }

  private tell({ id }: AgentMessage, method: string, params: Readonly<Record<string, unknown>>): void {
    this.ports.out(JSON.stringify({ jsonrpc: '2.0', method, params: { ...params, _meta: { [subscriptionKey]: id } } }));
  }

  private post(
    http: WindowHttp,
    message: AgentMessage,
    more: Pick<HttpCall, 'signal' | 'onMessage' | 'isListening'>,
  ): Promise<HttpAnswer> {
    return http.call({ method: 'POST', headers: statelessHeaders(message), body: message.text, ...more });
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
