import { computed, signal } from '@preact/signals-core';
import type { Disposable } from '../../base/disposable';
import { cancelled, PorticoError } from '../../base/errors';
import type { Logger } from '../../base/log';
import type { CatalogTool } from '../catalog/catalogTypes';
import type { ServerDefinition } from '../config/configTypes';
import type { Grants } from './grants';
import type { ApprovalAnswer, ApprovalRequest, Approvals, ApprovalUi } from './policyTypes';

const maxAnswers = 200;

/** A request with the one who waits for it. */
interface Waiting {
  readonly request: ApprovalRequest;
  readonly definition: ServerDefinition;
  readonly settle: (answer: ApprovalAnswer | undefined) => void;
  /** Closes the prompt when the answer comes from elsewhere. */
  readonly closed: AbortController;
  /** True once the person has been asked by a prompt, answered or not. */
  prompted: boolean;
}

/**
 * The calls that wait for the person. Calls of the broker and of agents are put to the person one prompt at a time; those
 * of the participant wait for the buttons in its answer. One answer for the session or for good frees all that it covers.
 */
export class ApprovalQueue implements Approvals, Disposable {
  private readonly entries = signal<readonly Waiting[]>([]);
  readonly waiting = computed(() => this.entries.value.map(({ request }) => request));
  /** By the ids of their calls, for buttons that are still in sight; the oldest first, bounded. */
  private readonly answers = new Map<string, ApprovalAnswer>();
  private prompting = false;
  private disposed = false;

  constructor(
    private readonly ui: ApprovalUi,
    private readonly grants: Grants,
    private readonly log: Logger,
  ) {}

  allows(tool: CatalogTool, definition: ServerDefinition): boolean {
    return this.grants.allows(tool, definition);
  }

  /** Settles when the call may go on; rejects with CALL_DENIED or CANCELLED. */
  async ask(request: ApprovalRequest, definition: ServerDefinition, signal: AbortSignal | undefined): Promise<void> {
    const what = `The call of ${request.tool.exposedName}`;
    if (this.disposed || signal?.aborted) {
      throw cancelled(what);
    }
    const answer = await new Promise<ApprovalAnswer | undefined>((resolve) => {
      const stop = () => this.settle(request.id, undefined);
      signal?.addEventListener('abort', stop, { once: true });
      const settle = (given: ApprovalAnswer | undefined) => {
        signal?.removeEventListener('abort', stop);
        resolve(given);
      };
      const entry = { request, definition, settle, closed: new AbortController(), prompted: false };
      this.entries.value = [...this.entries.value, entry];
      void this.prompt();
    });
    if (!answer) {
      throw cancelled(what);
    }
    if (answer.kind === 'deny') {
      throw new PorticoError('CALL_DENIED', `${what} on ${request.tool.key} was denied by the person.`, {
        server: request.tool.key,
        show: false,
      });
    }
  }

  answer(id: string, answer: ApprovalAnswer): void {
    const entry = this.entries.value.find(({ request }) => request.id === id);
    if (!entry) {
      return;
    }
    this.grants.add(entry.request.tool, entry.definition, answer).catch((error: unknown) => {
      this.log.error(`The answer for ${entry.request.tool.exposedName} could not be kept.`, error);
    });
    this.settle(id, answer);
    if (answer.kind === 'allow' && answer.duration !== 'once') {
      for (const other of this.entries.value) {
        if (this.grants.allows(other.request.tool, other.definition)) {
          this.settle(other.request.id, answer);
        }
      }
    }
  }

  answerOf(id: string): ApprovalAnswer | undefined {
    return this.answers.get(id);
  }

  forget(server?: string): Promise<void> {
    return this.grants.forget(server);
  }

  dispose(): void {
    this.disposed = true;
    for (const { request } of this.entries.value) {
      this.settle(request.id, undefined);
    }
  }

  private settle(id: string, answer: ApprovalAnswer | undefined): void {
    const entry = this.entries.value.find(({ request }) => request.id === id);
    if (entry) {
      if (answer) {
        this.answers.set(id, answer);
        if (this.answers.size > maxAnswers) {
          const [oldest = ''] = this.answers.keys();
          this.answers.delete(oldest);
        }
      }
      this.entries.value = this.entries.value.filter((other) => other !== entry);
      entry.closed.abort();
      entry.settle(answer);
    }
  }

  private async prompt(): Promise<void> {
    if (this.prompting) {
      return;
    }
    this.prompting = true;
    try {
      for (let next = this.nextToPrompt(); next; next = this.nextToPrompt()) {
        next.prompted = true;
        const answer = await this.put(next);
        if (answer) {
          this.answer(next.request.id, answer);
        }
      }
    } finally {
      this.prompting = false;
    }
  }

  private nextToPrompt(): Waiting | undefined {
    return this.entries.value.find(
      ({ request, prompted }) => !prompted && (request.caller.kind === 'broker' || request.caller.kind === 'agent'),
    );
  }

  /** The answer of one prompt; none when it was closed, or could not be shown: the call then waits in Activity. */
  private async put({ request, closed }: Waiting): Promise<ApprovalAnswer | undefined> {
    try {
      return await this.ui.ask(request, closed.signal);
    } catch (error) {
      this.log.error(`The question about ${request.tool.exposedName} could not be put.`, error);
      return undefined;
    }
  }
}
