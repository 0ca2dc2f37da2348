import { type AgentMessage, readMessage } from './agentMessage';
import type { BridgePorts } from './bridgeTypes';
import { SessionEra } from './sessionEra';
import { StatelessEra } from './statelessEra';

/** Between one agent on stdio and the windows: everything goes on as it comes, in the era in which the agent speaks. */
export class Bridge {
  private readonly sessions: SessionEra;
  private readonly stateless: StatelessEra;

  constructor(private readonly ports: BridgePorts) {
    this.sessions = new SessionEra(ports);
    this.stateless = new StatelessEra(ports);
  }

  /** Takes a line of the agent. */
  receive(line: string): void {
    const message = readMessage(line);
    if (message === undefined) {
      this.ports.out(
        JSON.stringify({
          jsonrpc: '2.0',
          id: null,
          error: { code: -32_700, message: 'Parse error: not a JSON object.' },
        }),
      );
    } else if (this.stateless.cancel(message)) {
      return;
    } else if (message.statelessVersion !== undefined) {
      this.stateless.receive(message);
    } else if (isUnopenedDiscovery(message)) {
      this.ports.out(
        JSON.stringify({ jsonrpc: '2.0', id: message.id, error: { code: -32_601, message: 'Method not found.' } }),
      );
    } else {
      this.sessions.receive(message);
    }
  }

  async end(): Promise<void> {
    this.stateless.end();
    await this.sessions.end();
  }
}

/** `server/discover` belongs to the stateless era; without its envelope it opens nothing. */
function isUnopenedDiscovery({ method, id }: AgentMessage): boolean {
  return method === 'server/discover' && id !== undefined;
}
