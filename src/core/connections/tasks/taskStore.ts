import { largerThan } from '../../../base/jsonSize';
import type { KeyValueStore } from '../../../base/storage';
import type { CallRecord } from '../../policy/policyTypes';
import type { Era } from '../connectionTypes';
import { openTasksKey } from './openTasksKey';
import type { TaskReport } from './readTask';

/** More than these at once are not taken up again. */
const MOST = 50;
const LONGEST_ARGS = 64 * 1024;

/** A task that goes on at a remote server, as it is taken up after a reload. */
export interface StoredTask {
  readonly server: string;
  readonly id: string;
  readonly tool: string;
  /** The id is as good as a key to the task: it is sent to nobody else. */
  readonly launchDigest: string;
  readonly era: Era;
  readonly createdAt: number;
  readonly report: Omit<TaskReport, 'raw'>;
  readonly call?: CallRecord;
}

/** The open tasks of remote servers, over reloads. */
export class TaskStore {
  constructor(private readonly state: KeyValueStore) {}

  all(): readonly StoredTask[] {
    const stored = this.state.get<unknown>(openTasksKey);
    return Array.isArray(stored) ? (stored as readonly StoredTask[]) : [];
  }

  async add(task: StoredTask): Promise<void> {
    const call = task.call && largerThan(task.call.args, LONGEST_ARGS) ? { ...task.call, args: {} } : task.call;
    await this.write([...this.without(task), { ...task, ...(call ? { call } : {}) }].slice(-MOST));
  }

  async remove(task: { readonly server: string; readonly id: string }): Promise<void> {
    await this.write(this.without(task));
  }

  private without({ server, id }: { readonly server: string; readonly id: string }): readonly StoredTask[] {
    return this.all().filter((task) => task.server !== server || task.id !== id);
  }

  private async write(tasks: readonly StoredTask[]): Promise<void> {
    await this.state.set(openTasksKey, tasks.length > 0 ? tasks : undefined);
  }
}
