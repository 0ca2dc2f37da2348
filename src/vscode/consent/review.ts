import type { ServerDefinition } from '../../core/config/configTypes';
import type { Hub } from '../../core/hubTypes';
import type { ConsentUi } from '../../core/policy/policyTypes';
import { commands } from '../../ids';
import { registerCommand, runCommand } from '../interop/commands';
import type { Contribution } from '../interop/contribution';
import { pickServer } from '../interop/pickServer';

/** The command *Review Server…*: shows what would run, and takes the answer, also one that was given before. */
export function reviewContribution(ui: ConsentUi): Contribution {
  return {
    name: 'review',
    register: ({ hub, logs }) =>
      registerCommand(commands.reviewServer, logs, async (argument) => {
        const view = await pickServer(hub, argument, 'Review Server', ({ status }) => status.peek().kind !== 'self');
        if (!view) {
          return;
        }
        const wasOff = view.status.peek().kind === 'notApproved';
        await review(hub, ui, view.definition);
        if (wasOff && view.status.peek().kind === 'stopped') {
          await runCommand(commands.startServer, view.id);
        }
      }),
  };
}

async function review(hub: Hub, ui: ConsentUi, definition: ServerDefinition): Promise<void> {
  const answer = (await ui.ask([definition])).get(definition.id);
  if (answer === 'run') {
    await hub.consent.approve(definition);
  } else if (answer === 'keepOff') {
    await hub.consent.refuse(definition);
  }
}
