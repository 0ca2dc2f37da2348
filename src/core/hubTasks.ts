import { type ReadonlySignal, signal } from '@preact/signals-core';
import { anything } from '../base/anything';
import type { Disposable } from '../base/disposable';
import { toDisposable } from '../base/disposable';
import type { ClientFeature } from './connections/connectionTypes';
import { openTasksKey } from './connections/tasks/openTasksKey';
import type { TaskKeeper, TaskKeeperPorts } from './connections/tasks/taskKeeper';
import type { ServerTask, TaskDesk } from './connections/taskTypes';

export interface HubTasks extends Disposable {
  readonly tasks: ReadonlySignal<readonly ServerTask[]>;
  readonly desk: TaskDesk;
  readonly feature: ClientFeature;
  keeper(): Promise<TaskKeeper>;
  /** Lists what goes on at a server that can tell. */
  look(server: string): Promise<void>;
  /** Takes up what went on when the window closed. */
  resume(): Promise<void>;
}

/** The tasks of all servers; what follows them is loaded with the first one. */
export function createHubTasks(ports: Omit<TaskKeeperPorts, 'tasks'>): HubTasks {
  const tasks = signal<readonly ServerTask[]>([]);
  let loaded: TaskKeeper | undefined;
  const keeper = async (): Promise<TaskKeeper> => {
    const { TaskKeeper: Keeper } = await import('./connections/tasks/taskKeeper');
    return (loaded ??= new Keeper({ ...ports, tasks }));
  };
  return {
    tasks,
    desk: { follow: async (start, options) => (await keeper()).follow(start, options) },
    feature: {
      capabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } },
      attach: (client, server) => {
        const method = 'notifications/tasks/status';
        client.setNotificationHandler(method, { params: anything }, (params) => loaded?.told(server.id, params));
        return toDisposable(() => client.removeNotificationHandler(method));
      },
    },
    keeper,
    look: async (server) => {
      if (ports.server(server)?.session?.info.capabilities.tasks?.list) {
        await (await keeper()).look(server);
      }
    },
    resume: async () => {
      if (ports.state.get(openTasksKey) !== undefined) {
        (await keeper()).resume();
      }
    },
    dispose: () => loaded?.dispose(),
  };
}
