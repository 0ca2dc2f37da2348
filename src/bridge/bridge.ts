import { type AgentMessage, errorAnswer, headerFault, invalid, readLine, sizeFault } from './agentMessage';
import { Batches } from './batches';
import type { BridgePorts } from './bridgeTypes';
import { SessionEra } from './sessionEra';
import { StatelessEra } from './statelessEra';

/** Between one agent on stdio and the windows: everything goes on as it comes, in the era in which the agent speaks. */
export class Bridge {
  private readonly batches: Batches;
  private readonly sessions: SessionEra;
  private readonly stateless: StatelessEra;

  constructor(private readonly ports: BridgePorts) {
    this.batches = new Batches((text) => ports.out(text));
    const collecting = { ...ports, out: (text: string) => this.batches.out(text) };
    this.sessions = new SessionEra(collecting);
    this.stateless = new StatelessEra(collecting);
  }

  /** Takes a line of the agent. */
  receive(text: string): void {
    const line = readLine(text);
    if (line.kind === 'invalid') {
      this.ports.out(line.answer);
    } else if (line.kind === 'message') {
      this.pass(line.message);
    } else if (line.elements.length > 0 && !this.sessions.hasBatches) {
      this.ports.out(invalid(undefined, 'Invalid request: this protocol version has no batches.').answer);
    } else {
      this.batches.receive(line.elements, (message) => this.pass(message));
    }
  }

  /** Settles once every request has its answer; what only listens is none. */
  async settled(): Promise<void> {
    await Promise.all([this.sessions.settled(), this.stateless.settled()]);
  }

  async end(): Promise<void> {
    this.stateless.end();
    await this.sessions.end();
  }

  private pass(message: AgentMessage): void {
    const { id, method, params, statelessVersion } = message;
    const tooLarge = sizeFault(message);
    if (tooLarge !== undefined) {
      this.refuse(message, tooLarge);
      return;
    }
    if (method === 'notifications/cancelled') {
      this.batches.forget(params['requestId']);
    }
    if (this.stateless.cancel(message)) {
      return;
    }
    if (statelessVersion === undefined) {
      if (method === 'ping' && id !== undefined) {
        // The bridge itself is what the agent asks for: no window has to be waited for.
        this.batches.out(JSON.stringify({ jsonrpc: '2.0', id, result: {} }));
      } else if (method === 'server/discover' && id !== undefined) {
        // It belongs to the stateless era; without its envelope it opens nothing.
        this.batches.out(errorAnswer(id, -32_601, 'Method not found.'));
      } else {
        this.sessions.receive(message);
      }
      return;
    }
    const fault = headerFault(message);
    if (fault === undefined) {
      this.stateless.receive(message);
    } else if (id !== undefined) {
      this.batches.out(errorAnswer(id, -32_602, fault));
    }
  }

  /** Tells whoever waits for what cannot be sent: the agent for its requests, the window for the agent's answers. */
  private refuse(message: AgentMessage, fault: string): void {
    const { id, method } = message;
    if (id !== undefined && method !== undefined) {
      this.batches.out(errorAnswer(id, -32_600, fault));
      return;
    }
    this.ports.say(`${fault} It is not sent: ${method ?? 'an answer of the agent'}.`);
    if (id !== undefined) {
      this.sessions.receive({ ...message, text: errorAnswer(id, -32_603, fault) });
    }
  }
}
