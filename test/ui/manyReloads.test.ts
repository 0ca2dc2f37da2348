import { realServer } from './driver/servers';
import { until } from './driver/until';
import { Workbench } from './driver/workbench';

const RELOADS = 20;
const servers = { everything: realServer('everything', 'stdio'), memory: realServer('memory') };
const QUARTER_HOUR = 900_000;

describe('twenty reloads', () => {
  let workbench: Workbench;
  before(async () => {
    workbench = await Workbench.open({ settings: { 'portico.servers': servers, 'portico.start': 'onOpen' } });
    await workbench.openPortico();
  });
  after(() => workbench.close());

  /** Command lines of all that the editor runs, and of the servers alone. */
  const counts = () => {
    const all: readonly string[] = workbench.server.processes();
    return {
      all: all.length,
      servers: Object.keys(servers).map((name) => all.filter((line) => line.includes(`server-${name}/dist`)).length),
    };
  };

  it('leave one process of each server, and no more of anything', async function () {
    this.timeout(QUARTER_HOUR);
    const ready = async (): Promise<void> => {
      for (const name of Object.keys(servers)) {
        await workbench.tree.row(`${name}, ready`).waitFor();
      }
    };
    await workbench.runCommand('Portico: Start All Servers');
    await ready();
    const before = counts();
    for (let reload = 1; reload <= RELOADS; reload += 1) {
      await workbench.reload();
      await workbench.openPortico();
      await ready();
      await until(`one of each after reload ${reload}`, () => counts().servers.every((count) => count === 1));
    }
    await until('no more processes than before', () => counts().all <= before.all);
  });
});
