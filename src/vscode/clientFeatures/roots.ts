import { commands } from '../../ids';
import { registerCommand } from '../interop/commands';
import type { Contribution } from '../interop/contribution';

/** The command *Change What a Server Sees…*. */
export const rootsContribution: Contribution = {
  name: 'roots',
  register: (services) =>
    registerCommand(commands.changeRoots, services.logs, async (row) =>
      (await import('./changeRoots')).changeRoots(services, row),
    ),
};
