import { commands as editorCommands, window } from 'vscode';
import type { Disposable } from '../../base/disposable';
import { PorticoError, toProblem } from '../../base/errors';
import { type CommandArguments, type CommandId, commands } from '../../ids';
import type { EditorLogs } from './log';
import { inertLine } from './text';

type ArgumentsOf<K extends CommandId> = K extends keyof CommandArguments ? CommandArguments[K] : [];

/** Registers a command under its typed id. A failure is logged and told once, unless the person caused it themselves. */
export function registerCommand<K extends CommandId>(
  id: K,
  logs: EditorLogs,
  run: (...args: ArgumentsOf<K>) => unknown,
): Disposable {
  return editorCommands.registerCommand(id, async (...args: unknown[]) => {
    try {
      return await run(...(args as ArgumentsOf<K>));
    } catch (error) {
      // Not awaited: whoever ran the command need not wait until somebody has read why it failed.
      tell(error, logs).catch((cause: unknown) => logs.own.error('The failure could not be told.', cause));
      return undefined;
    }
  });
}

/** Runs one of Portico's own commands. */
export async function runCommand<K extends CommandId>(id: K, ...args: ArgumentsOf<K>): Promise<unknown> {
  return editorCommands.executeCommand(id, ...args);
}

/** What helps where a failure is about the sign-in, by its code. */
const signInCommands: Readonly<
  Record<string, readonly [string, typeof commands.signIn | typeof commands.diagnoseSignIn]>
> = {
  UNAUTHORIZED: ['Sign In…', commands.signIn],
  AUTH_FAILED: ['Diagnose Sign-In…', commands.diagnoseSignIn],
};

/** The one notification for a failure of something that the person did. */
async function tell(error: unknown, logs: EditorLogs): Promise<void> {
  const { code, message } = toProblem(error);
  logs.own.error(`${code}: ${message}`, error instanceof PorticoError ? undefined : error);
  if (error instanceof PorticoError && !error.show) {
    return;
  }
  const server = error instanceof PorticoError ? error.server : undefined;
  const signIn = signInCommands[code];
  const actions =
    server === undefined ? ['Show Log'] : [...(signIn ? [signIn[0]] : []), 'Show Log', 'Edit Configuration'];
  const choice = await window.showErrorMessage(inertLine(message, 1_000), ...actions);
  if (choice === 'Show Log') {
    if (server === undefined) {
      logs.show();
    } else {
      await runCommand(commands.showServerLog, server);
    }
  } else if (choice === 'Edit Configuration') {
    await runCommand(commands.editServerConfiguration, server);
  } else if (choice && signIn) {
    await runCommand(signIn[1], server);
  }
}
