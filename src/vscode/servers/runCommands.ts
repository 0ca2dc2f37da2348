import { window } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { PorticoError } from '../../base/errors';
import type { ServerDefinition } from '../../core/config/configTypes';
import type { Hub, ServerView } from '../../core/hubTypes';
import { commands, views } from '../../ids';
import { registerCommand } from '../interop/commands';
import type { Services } from '../interop/contribution';
import { pickServer } from '../interop/pickServer';
import { plainLine } from '../interop/text';

/** Asks for consent to a batch and keeps the answers. */
export type Review = (definitions: readonly ServerDefinition[]) => Promise<void>;

const byPerson = { interactive: true, urgent: true } as const;
const isRunning = ({ status }: ServerView) => ['ready', 'starting', 'reconnecting'].includes(status.peek().kind);
const canStart = ({ status }: ServerView) =>
  ['stopped', 'failed', 'notApproved', 'editor'].includes(status.peek().kind);

/** Start, stop and restart, of one server and of all. Progress shows in the view alone; the outcome is the row's. */
export function registerRunCommands({ hub, logs }: Services, review: Review): Disposable {
  const store = new DisposableStore();
  store.add(
    registerCommand(commands.startServer, logs, async (argument) => {
      const view = await pickServer(hub, argument, 'Start Server', canStart);
      if (view) {
        await inView(hub.start(view.id, byPerson));
      }
    }),
  );
  store.add(
    registerCommand(commands.stopServer, logs, async (argument) => {
      const view = await pickServer(hub, argument, 'Stop Server', isRunning);
      if (view) {
        await inView(hub.stop(view.id));
      }
    }),
  );
  store.add(
    registerCommand(commands.restartServer, logs, async (argument) => {
      const view = await pickServer(hub, argument, 'Restart Server', (it) => isRunning(it) || canStart(it));
      if (view) {
        await inView(hub.restart(view.id, byPerson));
      }
    }),
  );
  store.add(registerCommand(commands.startAll, logs, () => inView(startAll(hub, review))));
  store.add(
    registerCommand(commands.stopAll, logs, () =>
      inView(
        Promise.all(
          hub.servers
            .peek()
            .filter(isRunning)
            .map(({ id }) => hub.stop(id)),
        ),
      ),
    ),
  );
  return store;
}

/** Starts whatever Portico runs; what has no consent yet is asked about first, once per file. */
async function startAll(hub: Hub, review: Review): Promise<void> {
  const own = hub.servers.peek().filter((view) => view.definition.owner === 'portico');
  const unknown = own.filter(({ status }) => isNew(status.peek())).map(({ definition }) => definition);
  for (const source of new Set(unknown.map((definition) => definition.source.id))) {
    await review(unknown.filter((definition) => definition.source.id === source));
  }
  const wanted = own.filter(({ status }) => ['stopped', 'failed'].includes(status.peek().kind));
  const outcomes = await Promise.allSettled(wanted.map(({ id }) => hub.start(id, byPerson)));
  const failed = wanted.filter((_, index) => {
    const outcome = outcomes[index];
    return outcome?.status === 'rejected' && !PorticoError.is(outcome.reason, 'CANCELLED', 'NOT_APPROVED');
  });
  if (failed.length > 0) {
    const names = failed.map(({ definition }) => plainLine(definition.key, 40)).join(', ');
    void window.showErrorMessage(`${failed.length} of ${wanted.length} servers failed to start: ${names}.`);
  }
}

function isNew(status: ReturnType<ServerView['status']['peek']>): boolean {
  return status.kind === 'notApproved' && !status.refused;
}

async function inView(work: Promise<unknown>): Promise<void> {
  await window.withProgress({ location: { viewId: views.servers } }, () => work);
}
