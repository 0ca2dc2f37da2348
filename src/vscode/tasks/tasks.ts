import { effect } from '@preact/signals-core';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { commands } from '../../ids';
import { registerCommand } from '../interop/commands';
import type { Contribution, Services } from '../interop/contribution';

/** Calls that go on at their server: they can be cancelled, and what nobody waits for is delivered when it comes. */
export const tasksContribution: Contribution = { name: 'tasks', register: registerTasks };

function registerTasks(services: Services): Disposable {
  const { hub, logs } = services;
  const store = new DisposableStore();
  const loaded = () => import('./deliverTasks');
  const delivered = new Set<string>();
  store.add(registerCommand(commands.cancelTask, logs, async (row) => (await loaded()).cancelTask(services, row)));
  store.defer(
    effect(() => {
      if (hub.tasks.value.length > 0) {
        loaded()
          .then(({ deliverTasks }) => deliverTasks(services, delivered))
          .catch((error: unknown) => logs.own.error('The result of a task could not be delivered.', error));
      }
    }),
  );
  return store;
}
