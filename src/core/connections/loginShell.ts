import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';

export type Environment = Readonly<Record<string, string>>;

/** Login scripts may be slow, or wait for somebody who is not there. */
const MOST_MS = 5_000;
const MOST_BYTES = 4 * 1_048_576;
/** Prints the environment between two marks; without quotes of any kind, so that every shell passes it on as it is. */
const PRINT = 'const{PORTICO_MARK:m,...e}=process.env;process.stdout.write(m+JSON.stringify(e)+m)';
/** What belongs to the shell, to the asking, or to the editor, and not to who uses the machine. */
const NOT_TAKEN = /^(_|SHLVL|PWD|OLDPWD|PORTICO_.*|ELECTRON_.*|VSCODE_.*|BASH_FUNC_.*|NODE_OPTIONS)$/;

/** The environment inside the marks; login scripts may print anything around them. */
export function readMarked(output: string, mark: string): Environment | undefined {
  const [, text] = output.split(mark);
  if (text === undefined) {
    return undefined;
  }
  try {
    const value: unknown = JSON.parse(text);
    const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
    return Object.fromEntries(
      entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string' && !NOT_TAKEN.test(entry[0])),
    );
  } catch {
    // Cut off by the time, or by a script that ends the shell.
    return undefined;
  }
}

/** How a shell is told to read its login scripts and run one command, whose program stands in a variable. */
export function shellArguments(shell: string): readonly string[] {
  switch (basename(shell)) {
    case 'csh':
    case 'tcsh':
      // They take no other option beside the one for login shells.
      return ['-ic', `"$PORTICO_NODE" -e "${PRINT}"`];
    default:
      return ['-i', '-l', '-c', `"$PORTICO_NODE" -e "${PRINT}"`];
  }
}

/**
 * The environment of a login shell: an editor started from the dock or a launcher inherits a minimal one. Nothing on Windows
 * or where the shell does not answer.
 */
export function askLoginShell(
  shell: string | undefined = process.env['SHELL'],
  mostMs = MOST_MS,
): Promise<Environment | undefined> {
  if (process.platform === 'win32' || !shell) {
    return Promise.resolve(undefined);
  }
  const mark = `portico-${randomBytes(12).toString('hex')}`;
  return new Promise((resolve) => {
    const child = spawn(shell, [...shellArguments(shell)], {
      stdio: ['ignore', 'pipe', 'ignore'],
      // A group of its own: without a terminal to take, and ended with all that its scripts have started.
      detached: true,
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', PORTICO_NODE: process.execPath, PORTICO_MARK: mark },
    });
    let output = '';
    const end = (): void => {
      clearTimeout(timer);
      if (child.pid !== undefined) {
        endGroup(child.pid);
      }
      child.stdout.destroy();
      resolve(readMarked(output, mark));
    };
    const timer = setTimeout(end, mostMs);
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.length > MOST_BYTES || output.split(mark).length > 2) {
        end();
      }
    });
    child.once('error', end);
    child.once('close', end);
  });
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // ESRCH: it is gone.
  }
}

let known: Promise<Environment | undefined> | undefined;

/** The same, asked once per process. */
export function loginEnvironment(): Promise<Environment | undefined> {
  known ??= askLoginShell();
  return known;
}

/**
 * A launch's environment completed by that of the login shell: its PATH, unless the entry has one of its own, and the variables
 * that are missing. Those that the entry takes out stay out.
 */
export function withLogin(
  environment: Environment,
  login: Environment,
  written: Readonly<Record<string, string | null>>,
): Environment {
  const { PATH = login['PATH'] } = 'PATH' in written ? environment : login;
  const missing = Object.entries(login).filter(
    ([name]) => !Object.hasOwn(environment, name) && !Object.hasOwn(written, name),
  );
  return { ...environment, ...Object.fromEntries(missing), ...(PATH === undefined ? {} : { PATH }) };
}
