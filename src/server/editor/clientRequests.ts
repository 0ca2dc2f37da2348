import type { Server, ServerContext } from '@modelcontextprotocol/server';
import type { Logger } from '../../base/log';
import type { Asked } from '../ledgerTypes';
import type { ReadLedger } from '../readLedger';
import type { AgentClient } from '../serverTypes';
import type { OfferContext } from './offerTypes';

export interface RequestPorts {
  readonly ledger: ReadLedger;
  readonly log: Logger;
}

/** The requests of one client's server: each with its progress and cancellation, and each in the ledger. */
export class ClientRequests {
  constructor(
    readonly client: AgentClient,
    private readonly server: Server,
    private readonly ports: RequestPorts,
  ) {}

  /** Runs a request and records what came of it. */
  async run<T extends object>(
    asked: Asked,
    context: ServerContext,
    run: (context: OfferContext) => Promise<T>,
  ): Promise<T> {
    const { progress, told } = this.progressOf(context);
    const reader = { client: this.client, program: this.server.getClientVersion()?.name };
    return this.ports.ledger.follow(asked, reader, async () => {
      const result = await run({ client: this.client, signal: context.mcpReq.signal, progress });
      await told();
      return result;
    });
  }

  private progressOf(context: ServerContext): {
    readonly progress: OfferContext['progress'];
    readonly told: () => Promise<unknown>;
  } {
    const progressToken = context.mcpReq._meta?.progressToken;
    let told: Promise<unknown> = Promise.resolve();
    if (progressToken === undefined) {
      return { progress: () => undefined, told: () => told };
    }
    const progress: OfferContext['progress'] = (update) => {
      const sent = context.mcpReq
        .notify({ method: 'notifications/progress', params: { progressToken, ...update } })
        .catch((error: unknown) => this.ports.log.debug(`Progress was not told: ${String(error)}`));
      told = Promise.all([told, sent]);
    };
    return { progress, told: () => told };
  }
}
