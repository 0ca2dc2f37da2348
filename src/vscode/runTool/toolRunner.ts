import type { CallToolResult } from '@modelcontextprotocol/client';
import { commands as editorCommands, ProgressLocation, window } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { PorticoError, toProblem } from '../../base/errors';
import type { CatalogTool, ToolRef } from '../../core/catalog/catalogTypes';
import type { ProgressUpdate } from '../../core/connections/connectionTypes';
import type { ArgumentsProblem, Caller } from '../../core/policy/policyTypes';
import type { TaskArgument } from '../../ids';
import { toSignal } from '../interop/cancellation';
import type { Services } from '../interop/contribution';
import { formModel, isSimple } from '../interop/formModel';
import { FormPanels } from '../interop/formPanel';
import { pickTask } from '../interop/pickTask';
import { increments } from '../interop/progress';
import { ResultViewer } from '../interop/resultViewer';
import { isRunning } from '../interop/taskText';
import { inertLine } from '../interop/text';
import { callOrLeave } from './callOrLeave';
import { pickTool } from './pickTool';
import { askField } from './quickField';
import { toolDescription } from './toolDescription';

type Args = Readonly<Record<string, unknown>>;

const caller: Caller = { kind: 'manual', label: 'Run Tool' };

/** Asks for a tool's arguments, runs it and shows what came; forms and results live with it. */
export class ToolRunner implements Disposable {
  private readonly store = new DisposableStore();
  private readonly forms: FormPanels;
  private readonly results: ResultViewer;

  constructor(private readonly services: Services) {
    this.forms = this.store.add(new FormPanels(services.context.extensionUri));
    this.results = new ResultViewer(services.documents);
  }

  async find(title: string): Promise<void> {
    await this.services.hub.ready;
    this.services.hub.freshen();
    const tool = await pickTool(this.services.hub, title, (described) => void this.describe(described));
    if (tool) {
      await this.ask(tool.ref);
    }
  }

  /** Of a row of Activity, or of the result in the active editor. */
  async again(of: { readonly call: string } | { readonly path: string } | undefined): Promise<void> {
    const { hub } = this.services;
    if (of === undefined || 'path' in of) {
      const run = this.results.runOf(of ?? window.activeTextEditor?.document.uri);
      await (run ? this.ask(run.ref, run.args) : this.find('Run Tool'));
      return;
    }
    const record = hub.callLog.records.peek().find(({ id }) => id === of.call);
    await (record ? this.ask(record.ref, record.args) : this.find('Run Tool'));
  }

  /** Shows the result of a task that has ended: of a row, or of the person's choice. */
  async showTask(row: TaskArgument | undefined): Promise<void> {
    const { hub } = this.services;
    const task = await pickTask(hub, row, 'Open Task Result', (one) => !isRunning(one));
    const result = task && (await hub.taskResult(task.server, task.id));
    if (result) {
      const key = hub.server(task.server)?.definition.key ?? task.server;
      const record = hub.callLog.records.peek().find(({ id }) => id === task.call);
      await this.results.show(result, { ref: { server: task.server, name: task.tool }, key }, record?.args ?? {});
    } else if (task) {
      void window.showInformationMessage(inertLine(task.problem?.message ?? 'The task has no result yet.', 600));
    }
  }

  /** Asks for the arguments in the lightest way that shows them whole, then runs. */
  async ask(row: ToolRef | { readonly server: string; readonly tool: string }, args?: Args): Promise<void> {
    await this.services.hub.ready;
    const tool = this.need({ server: row.server, name: 'tool' in row ? row.tool : row.name });
    const { fields, mode } = formModel(tool.tool.inputSchema);
    const title = `${inertLine(tool.key, 60)} — ${inertLine(tool.tool.name, 60)}`;
    const [only] = fields;
    if (mode === 'fields' && only === undefined && Object.keys(args ?? {}).length === 0) {
      if (await this.confirm(tool)) {
        await this.runWithProgress(tool, {});
      }
    } else if (mode === 'fields' && only && fields.length === 1 && isSimple(only) && args === undefined) {
      const toArgs = (value: unknown): Args => (value === undefined ? {} : { [only.name]: value });
      const answer = await askField({
        title: `${title}: ${inertLine(only.name, 60)}`,
        field: only,
        check: async (value) => (await this.services.hub.checkArguments(tool.ref, toArgs(value)))?.message,
      });
      if (answer) {
        await this.runWithProgress(tool, toArgs(answer.value));
      }
    } else {
      this.showForm(tool, title, args);
    }
  }

  dispose(): void {
    this.store.dispose();
  }

  private need(ref: ToolRef): CatalogTool {
    const tool = this.services.hub.catalog.toolByRef(ref);
    if (!tool) {
      throw new PorticoError(
        'TOOL_UNKNOWN',
        `${ref.server} has no tool "${ref.name}". Start or restart it to list its tools anew.`,
        {
          server: ref.server,
        },
      );
    }
    if (tool.problem) {
      throw new PorticoError(
        'TOOL_UNUSABLE',
        `${tool.key}: ${tool.tool.name} cannot be called: ${tool.problem.message}`,
        {
          server: ref.server,
        },
      );
    }
    return tool;
  }

  private async confirm(tool: CatalogTool): Promise<boolean> {
    const choice = await window.showInformationMessage(
      `Run ${inertLine(tool.tool.name, 80)} of ${inertLine(tool.key, 60)}?`,
      {
        modal: true,
        detail: [inertLine(tool.tool.description ?? '', 400), 'It takes no arguments.'].filter(Boolean).join('\n\n'),
      },
      'Run',
    );
    return choice === 'Run';
  }

  private showForm(tool: CatalogTool, title: string, args: Args | undefined): void {
    this.forms.show({
      key: `${tool.ref.server}\n${tool.ref.name}`,
      title: `Run ${inertLine(tool.tool.name, 40)}`,
      heading: inertLine(tool.tool.title ?? tool.tool.name, 120),
      from: title,
      about: tool.tool.description ?? '',
      schema: tool.tool.inputSchema,
      ...(args === undefined ? {} : { args }),
      submitLabel: 'Run Tool',
      submit: async (answer, signal, report) => this.submit(tool, answer, signal, report),
    });
  }

  private async submit(
    tool: CatalogTool,
    args: Args,
    signal: AbortSignal,
    report: (status: string) => void,
  ): Promise<ArgumentsProblem | undefined> {
    try {
      const problem = await this.services.hub.checkArguments(tool.ref, args);
      if (problem) {
        return problem;
      }
      await this.run(tool, args, signal, report);
      return undefined;
    } catch (error) {
      this.services.logs.own.warn(`Run Tool: ${toProblem(error).message}`);
      return toProblem(error);
    }
  }

  private async runWithProgress(tool: CatalogTool, args: Args): Promise<void> {
    const title = `${inertLine(tool.key, 60)}: ${inertLine(tool.tool.name, 60)}`;
    await window.withProgress(
      { location: ProgressLocation.Notification, title, cancellable: true },
      async (progress, token) => {
        const { signal, dispose } = toSignal(token);
        const step = increments();
        try {
          await this.run(tool, args, signal, (message, update) => progress.report({ message, ...step(update) }));
        } finally {
          dispose();
        }
      },
    );
  }

  private async run(
    tool: CatalogTool,
    args: Args,
    signal: AbortSignal,
    report: (status: string, update: ProgressUpdate) => void,
  ): Promise<void> {
    let result: CallToolResult | undefined;
    try {
      result = await callOrLeave(this.services.hub, tool, args, { caller, interactive: true, signal }, report);
    } catch (error) {
      if (PorticoError.is(error, 'CONNECTION_LOST') && !error.show && !signal.aborted) {
        // A stop needs no word of its own, but this call is waited for.
        const message = `${error.message} ${tool.tool.name} did not finish; run it again.`;
        throw new PorticoError(error.code, message, { server: tool.ref.server, cause: error });
      }
      throw error;
    }
    if (result) {
      await this.results.show(result, tool, args);
    }
  }

  private async describe(tool: CatalogTool): Promise<void> {
    const uri = this.services.documents.put(...toolDescription(tool));
    await editorCommands.executeCommand('vscode.open', uri, { preview: true });
  }
}
