import { execFile } from 'node:child_process';

const MARK = '__portico_path__';

/** The PATH inside the marks that the shell printed; login scripts may print anything around them. */
export function readMarkedPath(output: string): string | undefined {
  const path = output.split(MARK)[1]?.trim();
  return path === '' ? undefined : path;
}

let known: Promise<string | undefined> | undefined;

/**
 * The PATH of a login shell: an editor started from the dock or a launcher inherits a minimal one. Asked once per
 * process and only when a command was not found; nothing on Windows or where the shell does not answer.
 */
export function loginShellPath(): Promise<string | undefined> {
  known ??= new Promise((resolve) => {
    const shell = process.env['SHELL'];
    if (process.platform === 'win32' || !shell) {
      resolve(undefined);
      return;
    }
    const script = `printf '%s%s%s' ${MARK} "$PATH" ${MARK}`;
    const child = execFile(shell, ['-ilc', script], { timeout: 5_000, encoding: 'utf8' }, (_error, stdout) =>
      resolve(readMarkedPath(stdout)),
    );
    child.stdin?.end();
  });
  return known;
}
