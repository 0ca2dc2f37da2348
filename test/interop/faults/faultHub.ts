import { serverRow } from '../../../src/vscode/servers/serverRow';
import type { ServerView } from '../../../src/core/hubTypes';
import { layer, openTestHub, type TestHub } from '../../harness/testHub';
import { noCache } from '../noCache';
import { everythingEntry } from '../referencePrograms';
import { fixture, type Sick } from './habit';
import { MarkedProcesses } from './markedProcesses';

export const HEALTHY = ['everything', 'plain'];
const SICK = 'sick';

/** One hub with two healthy servers that run all the time, and one place for a sick one. */
export class FaultHub {
  private constructor(
    private readonly test: TestHub,
    private readonly healthy: Readonly<Record<string, object>>,
    readonly healthyProcesses: MarkedProcesses,
  ) {}

  static async open(): Promise<FaultHub> {
    const processes = new MarkedProcesses();
    const healthy = {
      everything: { ...everythingEntry, env: processes.env },
      plain: { ...fixture('plain'), env: processes.env },
    };
    const test = await openTestHub(healthy, { cache: noCache });
    await Promise.all(HEALTHY.map((id) => test.hub.start(id, { interactive: false })));
    return new FaultHub(test, healthy, processes);
  }

  get hub() {
    return this.test.hub;
  }

  /** Adds the sick server as an edit of the configuration would. */
  add(entry: object): Sick {
    this.test.settings.value = [layer({ ...this.healthy, [SICK]: entry })];
    const view = this.hub.server(SICK);
    if (!view) {
      throw new Error(`The entry is refused: ${JSON.stringify(this.hub.configProblems.peek())}`);
    }
    return { hub: this.hub, id: SICK, view };
  }

  remove(): void {
    this.test.settings.value = [layer(this.healthy)];
  }

  close(): Promise<void> {
    return this.test.close();
  }
}

/** What the person sees: the words of the server's row, what is wrong with its list of tools, and what their use told. */
export function whatIsSeen({ definition, status, lists }: ServerView, told: string | void): string {
  const { description } = serverRow({ definition, status: status.peek(), lists: lists.peek(), now: Date.now() });
  return [description, lists.peek().tools.problem?.message, told].filter(Boolean).join(' · ');
}
