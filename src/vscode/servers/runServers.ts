import { window } from 'vscode';
import { PorticoError } from '../../base/errors';
import type { ServerStatus, ServerView } from '../../core/hubTypes';
import { type ServerArgument, views } from '../../ids';
import type { Services } from '../interop/contribution';
import { pickServer } from '../interop/pickServer';
import { inertLine } from '../interop/text';

const byPerson = { interactive: true, urgent: true } as const;
const isRunning = ({ status }: ServerView) => ['ready', 'starting', 'reconnecting'].includes(status.peek().kind);
const canStart = ({ status }: ServerView) =>
  ['stopped', 'failed', 'signInRequired', 'notApproved', 'editor'].includes(status.peek().kind);

/** Start, stop and restart, of one server and of all. Progress shows in the view alone; the outcome is the row's. */
export async function startServer({ hub }: Services, argument: ServerArgument): Promise<void> {
  const view = await pickServer(hub, argument, 'Start Server', canStart);
  if (view) {
    await inView(hub.start(view.id, byPerson));
  }
}

export async function stopServer({ hub }: Services, argument: ServerArgument): Promise<void> {
  const view = await pickServer(hub, argument, 'Stop Server', isRunning);
  if (view) {
    await inView(hub.stop(view.id));
  }
}

export async function restartServer({ hub }: Services, argument: ServerArgument): Promise<void> {
  const view = await pickServer(hub, argument, 'Restart Server', (it) => isRunning(it) || canStart(it));
  if (view) {
    await inView(hub.restart(view.id, byPerson));
  }
}

export async function stopAll({ hub }: Services): Promise<void> {
  const running = hub.servers.peek().filter(isRunning);
  await inView(Promise.all(running.map(({ id }) => hub.stop(id))));
}

/** Starts whatever Portico runs and the person has not kept off; the start gate asks about new ones once per file. */
export async function startAll({ hub }: Services): Promise<void> {
  const wanted = hub.servers
    .peek()
    .filter((view) => view.definition.owner === 'portico' && isStartable(view.status.peek()));
  const outcomes = await inView(Promise.allSettled(wanted.map(({ id }) => hub.start(id, byPerson))));
  const failed = wanted.filter((_, index) => {
    const outcome = outcomes[index];
    return outcome?.status === 'rejected' && !PorticoError.is(outcome.reason, 'CANCELLED', 'NOT_APPROVED');
  });
  if (failed.length > 0) {
    const names = failed.map(({ definition }) => inertLine(definition.key, 40)).join(', ');
    void window.showErrorMessage(`${failed.length} of ${wanted.length} servers failed to start: ${names}.`);
  }
}

function isStartable(status: ServerStatus): boolean {
  return (
    status.kind === 'stopped' ||
    status.kind === 'failed' ||
    status.kind === 'signInRequired' ||
    (status.kind === 'notApproved' && !status.refused)
  );
}

async function inView<T>(work: Promise<T>): Promise<T> {
  return window.withProgress({ location: { viewId: views.servers } }, () => work);
}
