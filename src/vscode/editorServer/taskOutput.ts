import { tasks, type Terminal, type TerminalShellExecution, window } from 'vscode';
import type { Logger } from '../../base/log';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { WrittenOutput } from './writtenOutput';

const maxTasks = 50;

/** What tasks write, as far as the editor tells: of those whose terminal has shell integration. By process id. */
export class TaskOutput implements Disposable {
  private readonly store = new DisposableStore();
  private readonly written = new Map<number, WrittenOutput>();

  constructor(log: Logger) {
    this.store.add(
      window.onDidStartTerminalShellExecution(({ terminal, execution }) => {
        if (tasks.taskExecutions.length > 0) {
          this.follow(terminal, execution).catch((error: unknown) =>
            log.debug(`The output of a task cannot be read: ${String(error)}`),
          );
        }
      }),
    );
  }

  of(processId: number): { readonly text: string; readonly cut: boolean } | undefined {
    return this.written.get(processId)?.read();
  }

  dispose(): void {
    this.store.dispose();
  }

  private async follow(terminal: Terminal, execution: TerminalShellExecution): Promise<void> {
    // At once: what is written before it is read is lost.
    const stream = execution.read();
    const output = new WrittenOutput();
    const process = await terminal.processId;
    const [oldest] = this.written.keys();
    if (this.written.size >= maxTasks && oldest !== undefined) {
      this.written.delete(oldest);
    }
    if (process !== undefined) {
      this.written.set(process, output);
    }
    for await (const data of stream) {
      output.add(data);
    }
  }
}
