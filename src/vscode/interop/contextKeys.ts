import { commands } from 'vscode';
import type { contextKeys } from '../../ids';

type ContextKey = (typeof contextKeys)[keyof typeof contextKeys];

/** Sets a context key that `when` clauses of package.json read. */
export async function setContextKey(key: ContextKey, value: boolean | number | string): Promise<void> {
  await commands.executeCommand('setContext', key, value);
}
