import { type Disposable, DisposableStore } from '../../base/disposable';
import { commands } from '../../ids';
import { registerCommand } from '../interop/commands';
import type { Contribution, Services } from '../interop/contribution';
import type { ToolRunner } from './toolRunner';

/** Run Tool… by hand: from a row, from a search over all tools, or again from a call that was made. */
export const runToolContribution: Contribution = { name: 'run tool', register: registerRunTool };

function registerRunTool(services: Services): Disposable {
  const { logs } = services;
  const store = new DisposableStore();
  let loading: Promise<ToolRunner> | undefined;
  // Forms and results are needed with the first run only.
  const runner = (): Promise<ToolRunner> =>
    (loading ??= import('./toolRunner').then((module) => store.add(new module.ToolRunner(services))));
  store.add(
    registerCommand(commands.runTool, logs, async (row) => {
      const loaded = await runner();
      await (row ? loaded.ask(row, row.args) : loaded.find('Run Tool'));
    }),
  );
  store.add(registerCommand(commands.findTool, logs, async () => (await runner()).find('Find Tool')));
  store.add(registerCommand(commands.runAgain, logs, async (of) => (await runner()).again(of)));
  store.add(registerCommand(commands.openTaskResult, logs, async (row) => (await runner()).showTask(row)));
  return store;
}
