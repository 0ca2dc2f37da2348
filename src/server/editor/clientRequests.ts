import type { Server, ServerContext } from '@modelcontextprotocol/server';
import type { Clock } from '../../base/clock';
import { PorticoError } from '../../base/errors';
import type { Logger } from '../../base/log';
import type { AgentClient } from '../serverTypes';
import type { LedgerEntry, OfferContext } from './offerTypes';
import type { ReadLedger } from './readLedger';

export interface RequestPorts {
  readonly ledger: ReadLedger;
  readonly clock: Clock;
  readonly log: Logger;
}

/** What is asked for: `what` is a URI, or the name of a tool or prompt; `part` tells which part of it. */
export type Asked = Pick<LedgerEntry, 'kind' | 'what' | 'part'>;

/** The requests of one client's server: each with its progress and cancellation, and each in the ledger. */
export class ClientRequests {
  constructor(
    readonly client: AgentClient,
    private readonly server: Server,
    private readonly ports: RequestPorts,
  ) {}

  /** Runs a request and records what came of it. A result that says that it failed counts as failed. */
  async run<T extends object>(
    asked: Asked,
    context: ServerContext,
    run: (context: OfferContext) => Promise<T>,
  ): Promise<T> {
    const { progress, told } = this.progressOf(context);
    try {
      const result = await run({ client: this.client, signal: context.mcpReq.signal, progress });
      await told();
      this.record(asked, sizeOf(result), 'isError' in result && result.isError ? 'failed' : 'given');
      return result;
    } catch (error) {
      this.record(asked, 0, isRefusal(error) ? 'refused' : 'failed');
      throw error;
    }
  }

  private record(asked: Asked, bytes: number, outcome: LedgerEntry['outcome']): void {
    const program = this.server.getClientVersion()?.name;
    const { label } = this.client;
    this.ports.ledger.record({ ...asked, at: this.ports.clock.now(), client: label, program, bytes, outcome });
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

function isRefusal(error: unknown): boolean {
  return PorticoError.is(error, 'RESOURCE_UNKNOWN', 'CALL_DENIED', 'RESTRICTED_MODE', 'NOT_APPROVED');
}

/** Bytes of what a result gives: texts, blobs, structured values. */
function sizeOf(result: object): number {
  return Buffer.byteLength(JSON.stringify(result));
}
