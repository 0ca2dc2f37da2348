import { stat } from 'node:fs/promises';
import { PorticoError } from '../../base/errors';
import { tellingLine } from './stderrTail';
import { isBatchFile, unsafeForBatch } from './windowsBatch';

/** How a process ended; both null while it still runs. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: string | null;
}

interface Spawned {
  readonly command: string;
  readonly cwd: string | undefined;
  readonly env: Readonly<Record<string, string>>;
}

/** Why a process could not be started. */
export async function spawnError(server: string, error: unknown, launch: Spawned): Promise<PorticoError> {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const options = { server, cause: error };
  if (launch.cwd !== undefined && !(await isFolder(launch.cwd))) {
    return new PorticoError(
      'SPAWN_FAILED',
      `"${server}" cannot start: its working directory ${launch.cwd} does not exist. Correct "cwd" in its entry.`,
      options,
    );
  }
  if (code === 'ENOENT') {
    const path = launch.env['PATH'] ?? launch.env['Path'] ?? '(empty)';
    return new PorticoError(
      'COMMAND_NOT_FOUND',
      `"${server}" cannot start: the command "${launch.command}" was not found. Install it or write its full path. PATH searched: ${path}`,
      options,
    );
  }
  const reason = error instanceof Error ? error.message : String(error);
  return new PorticoError('SPAWN_FAILED', `"${server}" cannot start: ${reason}. Check its entry.`, options);
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    // Unreadable is as good as absent for a process that should start there.
    return false;
  }
}

/** Why a process that ran is gone: exit code, or what it closed, and the line of stderr that tells most. */
export function exitError(
  server: string,
  exit: ProcessExit,
  closed: 'input' | 'output',
  stderr: readonly string[],
  stray?: string,
): PorticoError {
  const said = tellingLine(stderr) ?? stray;
  const runs = exit.code === null && exit.signal === null;
  const ended = exit.code === null ? `was ended by ${exit.signal}` : `exited with code ${exit.code}`;
  const how = runs ? `closed its ${closed} and was stopped` : ended;
  return new PorticoError(
    runs ? 'CONNECTION_LOST' : 'SERVER_EXITED',
    said === undefined ? `"${server}" ${how}. See its log, then start it again.` : `"${server}" ${how}: ${said}`,
    { server },
  );
}

/** Windows: what cannot be handed to a batch file unchanged is not run at all. */
export function refuseUnsafe(server: string, file: string | undefined, args: readonly string[]): void {
  const unsafe = isBatchFile(file) ? unsafeForBatch(args) : undefined;
  if (unsafe !== undefined) {
    throw new PorticoError(
      'SPAWN_FAILED',
      `"${server}" cannot start: the argument ${JSON.stringify(unsafe)} cannot be handed to the batch file ${file} unchanged. Run the program that it starts instead, such as node with the path of the script.`,
      { server },
    );
  }
}

export function tooLargeError(server: string, limit: number): PorticoError {
  return new PorticoError(
    'MESSAGE_TOO_LARGE',
    `"${server}" sent a message above ${Math.floor(limit / 1_048_576)} MB and was stopped. Ask it for less at once, then start it again.`,
    { server },
  );
}

export function unreadError(server: string): PorticoError {
  return new PorticoError(
    'CONNECTION_LOST',
    `"${server}" asks and does not read what it is answered, so it was stopped. Only its author can correct that.`,
    { server },
  );
}
