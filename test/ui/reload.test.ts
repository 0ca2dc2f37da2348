import assert from 'node:assert/strict';
import { received, shelves } from './driver/shelf';
import { until, untilEqual } from './driver/until';
import { Workbench } from './driver/workbench';

const names = Array.from({ length: 20 }, (_, index) => `shelf${String(index + 1).padStart(2, '0')}`);
/** From the first row of a view to the last: a second for a person's machine, more for one that runs a browser and others' tests. */
const boundMilliseconds = 15_000;

describe('a reload', () => {
  let workbench: Workbench;
  before(async function () {
    this.timeout(240_000);
    workbench = await Workbench.open({
      settings: { 'portico.servers': shelves(...names) },
      files: { 'today.md': '# Today\n\nTide at noon.\n' },
      size: { width: 1400, height: 1600 },
    });
    await workbench.openPortico();
    await workbench.tree.openView('Resources');
    await workbench.runCommand('Portico: Start All Servers');
    for (const name of names) {
      await workbench.tree.of('Servers').row(`${name}, ready`).waitFor({ timeout: 120_000 });
    }
    await workbench.tree
      .of('Resources')
      .row(`${names.at(-1)}, 6 resources`)
      .waitFor();
  });
  after(() => workbench.close());

  const running = (): string[] => workbench.server.processes().filter((line: string) => line.includes('shelf.mjs'));

  it('finds all rows with their counts, and no server running', async () => {
    const { tree } = workbench;
    await workbench.reload();
    await workbench.openPortico();
    await tree
      .of('Servers')
      .row(names[0] ?? '')
      .first()
      .waitFor();
    const start = Date.now();
    for (const name of names) {
      await tree.of('Servers').row(`${name}, stopped, 6 resources known`).waitFor();
      await tree.of('Resources').row(`${name}, 6 resources`).waitFor();
    }
    const took = Date.now() - start;
    assert.ok(took < boundMilliseconds, `${took} ms`);
    await untilEqual(running, []);
    const resources = tree.of('Resources');
    await resources.expand(`${names[0]}, 6 resources`);
    await resources.expand('shelf://notes');
    await resources.row(`today.md, Markdown, from ${names[0]}`).waitFor();
    await workbench.screenshot('reload');
    assert.deepEqual(running(), []);
  });

  it('opens a resource of the cache by starting its server alone', async () => {
    const { tree } = workbench;
    await tree.of('Resources').select(`today.md, Markdown, from ${names[0]}`);
    await workbench.waitForEditorText('Tide at noon.');
    assert.equal(running().length, 1);
    assert.match(running()[0] ?? '', / shelf01$/);
    await tree.of('Servers').row(`${names[0]}, ready`).waitFor();
  });

  it('loads the tab of a resource, and subscribes to it again', async () => {
    const [name = ''] = names;
    const subscriptions = () =>
      received(workbench, name).filter((line) => line.startsWith('resources/subscribe')).length;
    await until('the subscription', () => subscriptions() > 0);
    const before = subscriptions();
    await workbench.execute('workbench.action.keepEditor');
    await workbench.reload();
    await workbench.waitForEditorText('Tide at noon.');
    await workbench.waitForTabs(['today.md']);
    await until('another subscription', () => subscriptions() > before);
    await until('one server', () => running().length === 1);
  });
});
