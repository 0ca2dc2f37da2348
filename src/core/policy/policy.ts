import type { CallToolResult } from '@modelcontextprotocol/client';
import type { Clock } from '../../base/clock';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { PorticoError, toProblem } from '../../base/errors';
import type { Logger } from '../../base/log';
import type { KeyValueStore } from '../../base/storage';
import type { Catalog, CatalogTool, ToolRef } from '../catalog/catalogTypes';
import type { ServerDefinition } from '../config/configTypes';
import type { RequestOptions } from '../connections/connectionTypes';
import { ApprovalQueue } from './approvalQueue';
import { RecordingCallLog } from './callLog';
import { createConsent } from './consent';
import { Grants } from './grants';
import type {
  Approvals,
  ApprovalUi,
  ArgumentsProblem,
  Caller,
  CallLog,
  CallOptions,
  CallOutcome,
  CallRecord,
  CallUpstream,
  Check,
  Consent,
  Misfit,
} from './policyTypes';
import { withoutOptionalNulls } from './optionalNulls';
import { checkResult } from './resultChecks';
import { Validators } from './validators';

export interface PolicyDeps {
  readonly catalog: Catalog;
  readonly upstream: CallUpstream;
  readonly definitionOf: (server: string) => ServerDefinition | undefined;
  /** Called when a tool is not in the catalog: starts the server where its lists were never seen. Rejects with the reason. */
  readonly ensureListed: (server: string, options: CallOptions) => Promise<void>;
  readonly approvalUi: ApprovalUi;
  /** Keeps what was allowed for good. */
  readonly state: KeyValueStore;
  readonly consentState: KeyValueStore;
  readonly clock: Clock;
  readonly log: Logger;
  /** A folder for the call log; in memory only otherwise. */
  readonly storageDir?: string;
  readonly implicitConsent?: boolean;
}

/** The single way to a tool call. */
export interface Policy extends Disposable {
  readonly callLog: CallLog;
  readonly approvals: Approvals;
  readonly consent: Consent;
  /**
   * The result as the server sent it (with a marked note at the end where it breaks its own schema). Rejects with SERVER_UNKNOWN,
   * TOOL_UNKNOWN, TOOL_UNUSABLE, ARGUMENTS_INVALID, CALL_DENIED, CANCELLED, or what the connection says.
   */
  callTool(ref: ToolRef, args: Readonly<Record<string, unknown>>, options: CallOptions): Promise<CallToolResult>;
  /** Brings a call back that goes on since before a reload; its outcome becomes that of the record. Never rejects. */
  resumeCall(call: CallRecord, outcome: Promise<CallToolResult>): Promise<void>;
  /** What is wrong with the arguments, before a call is made; nothing where they fit or the tool is not known yet. */
  checkArguments(ref: ToolRef, args: Readonly<Record<string, unknown>>): Promise<ArgumentsProblem | undefined>;
  /** Brings in the calls of earlier sessions; once, off the path of activation. */
  loadCallLog(): Promise<void>;
  /** Settles when the call log is on disk. */
  flush(): Promise<void>;
}

/** Who is asked by Portico; the others have been asked by the editor, or are the person's own doing. */
const asks: Readonly<Record<Caller['kind'], boolean>> = {
  chat: false,
  manual: false,
  cli: false,
  participant: true,
  broker: true,
  agent: true,
};

export function createPolicy(deps: PolicyDeps): Policy {
  return new ToolPolicy(deps);
}

class ToolPolicy implements Policy {
  private readonly store = new DisposableStore();
  readonly callLog: RecordingCallLog;
  readonly approvals: ApprovalQueue;
  readonly consent: Consent;
  private readonly validators: Validators;
  private readonly session: string;
  private calls = 0;

  constructor(private readonly deps: PolicyDeps) {
    this.callLog = this.store.add(new RecordingCallLog(deps));
    this.approvals = this.store.add(new ApprovalQueue(deps.approvalUi, new Grants(deps.state), deps.log));
    this.consent = createConsent(deps);
    this.validators = new Validators(deps.log);
    this.session = deps.clock.now().toString(36);
  }

  async callTool(ref: ToolRef, args: Readonly<Record<string, unknown>>, options: CallOptions): Promise<CallToolResult> {
    const { clock, catalog } = this.deps;
    const startedAt = clock.now();
    const known = catalog.toolByRef(ref);
    let record = this.callLog.add(this.newRecord(ref, args, options.caller, startedAt, known));
    try {
      const tool = known ?? (await this.lookUp(ref, options));
      if (tool !== known) {
        record = this.callLog.update(record, { key: tool.key, exposedName: tool.exposedName });
      }
      const check = this.checkOf(tool);
      // Awaited only where it must be: the check is compiled before the first call.
      const unchecked = fitting(tool, args, check instanceof Promise ? await check : check);
      if (asks[options.caller.kind]) {
        const definition = this.definitionOf(ref.server);
        if (!this.approvals.allows(tool, definition)) {
          record = this.callLog.update(record, { outcome: 'waiting' });
          const { id, caller } = record;
          await this.approvals.ask({ id, caller, tool, args, askedAt: startedAt }, definition, options.signal);
          record = this.callLog.update(record, { outcome: 'running' });
          this.stillTheSame(tool, definition);
        }
      }
      const own = { call: record.id, inBackground: options.caller.kind === 'manual' };
      const asked: RequestOptions = Object.assign({}, options, own);
      return await this.finish(record, tool, this.deps.upstream(ref, args, asked), unchecked);
    } catch (error) {
      this.fail(record, error, options.signal);
      throw error;
    }
  }

  async resumeCall(call: CallRecord, outcome: Promise<CallToolResult>): Promise<void> {
    const record = this.callLog.add({ ...call, outcome: 'running' });
    try {
      await this.finish(record, this.deps.catalog.toolByRef(call.ref), outcome);
    } catch (error) {
      this.fail(record, error, undefined);
    }
  }

  private async finish(
    record: CallRecord,
    tool: CatalogTool | undefined,
    outcome: Promise<CallToolResult>,
    unchecked: readonly string[] = [],
  ): Promise<CallToolResult> {
    const came = await outcome;
    const checked = tool ? checkResult(tool, came, this.validators, unchecked) : came;
    // Awaited only where it must be: the check is compiled after the first call.
    const result = checked instanceof Promise ? await checked : checked;
    const durationMs = this.deps.clock.now() - record.startedAt;
    this.callLog.update(record, { outcome: result.isError ? 'toolError' : 'ok', durationMs, result });
    return result;
  }

  private fail(record: CallRecord, error: unknown, signal: AbortSignal | undefined): void {
    this.callLog.update(record, {
      outcome: outcomeOf(error, signal),
      durationMs: this.deps.clock.now() - record.startedAt,
      problem: toProblem(error),
    });
  }

  async checkArguments(ref: ToolRef, args: Readonly<Record<string, unknown>>): Promise<ArgumentsProblem | undefined> {
    const tool = this.deps.catalog.toolByRef(ref);
    if (!tool) {
      return undefined;
    }
    try {
      fitting(tool, args, await this.checkOf(tool));
      return undefined;
    } catch (error) {
      return error instanceof ArgumentsError ? { ...toProblem(error), faults: error.misfit.faults } : toProblem(error);
    }
  }

  loadCallLog(): Promise<void> {
    return this.callLog.load();
  }

  flush(): Promise<void> {
    return this.callLog.flush();
  }

  dispose(): void {
    this.store.dispose();
  }

  private async lookUp(ref: ToolRef, options: CallOptions): Promise<CatalogTool> {
    const { key } = this.definitionOf(ref.server);
    await this.deps.ensureListed(ref.server, options);
    const tool = this.deps.catalog.toolByRef(ref);
    if (!tool) {
      throw new PorticoError(
        'TOOL_UNKNOWN',
        `${key} has no tool ${JSON.stringify(ref.name)}. Refresh the server, or look the name up in the list of its tools.`,
        { server: key },
      );
    }
    return tool;
  }

  private definitionOf(server: string): ServerDefinition {
    const definition = this.deps.definitionOf(server);
    if (!definition) {
      throw new PorticoError(
        'SERVER_UNKNOWN',
        `There is no server ${JSON.stringify(server)}. Add it, or check its name in the list of servers.`,
        { server },
      );
    }
    return definition;
  }

  /** What its arguments are held against. Throws where the tool cannot be used. */
  private checkOf({ problem, key, tool, exposedName }: CatalogTool): Check | Promise<Check> {
    if (problem) {
      throw new PorticoError('TOOL_UNUSABLE', problem.message, { server: key });
    }
    const schema: object = tool.inputSchema;
    return this.validators.ready(schema) ?? this.validators.checkFor(schema, 'input', exposedName);
  }

  /** The answer was given to what the person saw: a tool or server that changed while the question waited is not that. */
  private stillTheSame(tool: CatalogTool, definition: ServerDefinition): void {
    const now = this.deps.catalog.toolByRef(tool.ref);
    const launch = this.deps.definitionOf(tool.ref.server)?.consentDigest;
    if (launch !== definition.consentDigest || !now || !sameDefinition(now, tool)) {
      throw new PorticoError(
        'TOOL_UNKNOWN',
        `${tool.exposedName} changed while its call waited for an answer. Call it again to see what it is now.`,
        { server: tool.key },
      );
    }
  }

  private newRecord(
    ref: ToolRef,
    args: Readonly<Record<string, unknown>>,
    caller: Caller,
    startedAt: number,
    tool: CatalogTool | undefined,
  ): CallRecord {
    const key = tool?.key ?? this.deps.definitionOf(ref.server)?.key ?? ref.server;
    const exposedName = tool?.exposedName ?? `${key}_${ref.name}`;
    this.calls += 1;
    return {
      id: `${this.session}-${this.calls}`,
      startedAt,
      caller,
      ref,
      key,
      exposedName,
      args,
      outcome: 'running',
      // Named from the beginning: members that come later make each copy of the record dear.
      durationMs: undefined,
      problem: undefined,
      result: undefined,
    };
  }
}

class ArgumentsError extends PorticoError {
  constructor(
    { ref, key }: CatalogTool,
    readonly misfit: Misfit,
  ) {
    super(
      'ARGUMENTS_INVALID',
      `The arguments for ${ref.name} on ${key} do not fit: ${misfit.sentence}. Correct them and call again.`,
      { server: key },
    );
  }
}

/** What of the arguments could not be checked. Throws where they do not fit. */
function fitting(tool: CatalogTool, args: Readonly<Record<string, unknown>>, check: Check): readonly string[] {
  const unchecked: string[] = [];
  const note = (what: string): void => void unchecked.push(what);
  const misfit = check(args, note) && check(withoutOptionalNulls(tool.tool.inputSchema, args), note);
  if (misfit) {
    throw new ArgumentsError(tool, misfit);
  }
  return unchecked;
}

function sameDefinition(a: CatalogTool, b: CatalogTool): boolean {
  return a.tool === b.tool || JSON.stringify(a.tool) === JSON.stringify(b.tool);
}

function outcomeOf(error: unknown, signal: AbortSignal | undefined): CallOutcome {
  if (PorticoError.is(error, 'CALL_DENIED')) {
    return 'denied';
  }
  return PorticoError.is(error, 'CANCELLED') || signal?.aborted ? 'cancelled' : 'failed';
}
