import { spawn } from 'node:child_process';
import { cancelled, PorticoError } from '../../base/errors';
import { taskkillCommand } from '../../base/taskkill';
import { counted, inertLine } from './text';

export interface CommandOptions {
  readonly cwd: string | undefined;
  readonly signal: AbortSignal;
  /** The command is ended after this. */
  readonly timeoutMs?: number;
  /** Characters of output; a command that writes more is ended. */
  readonly maxLength?: number;
}

const defaults = { timeoutMs: 60_000, maxLength: 1_000_000 };

/**
 * What a command line that a person typed prints, run by their shell as in a terminal, without its last line break. Rejects
 * where it fails, takes too long or prints too much; no process of it is left then.
 */
export async function commandOutput(commandLine: string, options: CommandOptions): Promise<string> {
  const { cwd, signal, timeoutMs, maxLength } = { ...defaults, ...options };
  const shown = `“${inertLine(commandLine, 80)}”`;
  if (signal.aborted) {
    throw cancelled(shown);
  }
  // A group of its own, so that what the shell has started ends with it.
  const child = spawn(commandLine, {
    cwd,
    shell: true,
    detached: process.platform !== 'win32',
    windowsHide: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  let reason: PorticoError | undefined;
  const end = (why: PorticoError): void => {
    reason ??= why;
    endTree(child.pid);
  };
  const timer = setTimeout(
    () => end(new PorticoError('TIMEOUT', `${shown} did not end within ${timeoutMs / 1000} s and was stopped.`)),
    timeoutMs,
  );
  const abort = (): void => end(cancelled(shown));
  signal.addEventListener('abort', abort);
  try {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.length > maxLength) {
        const most = counted(maxLength, 'character');
        end(new PorticoError('MESSAGE_TOO_LARGE', `${shown} printed more than ${most} and was stopped.`));
      }
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors = (errors + text).slice(-2_000)));
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', resolve);
    });
    if (reason) {
      throw reason;
    }
    if (code !== 0) {
      const said = inertLine(errors, 300);
      throw new PorticoError('SPAWN_FAILED', `${shown} ended with code ${code}${said === '' ? '.' : `: ${said}`}`);
    }
    return output.replace(/\r?\n$/, '');
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}

function endTree(pid: number | undefined): void {
  if (pid === undefined) {
    return;
  }
  if (process.platform === 'win32') {
    const [command, args] = taskkillCommand(pid);
    spawn(command, [...args], { stdio: 'ignore', windowsHide: true }).on('error', () => undefined);
    return;
  }
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
