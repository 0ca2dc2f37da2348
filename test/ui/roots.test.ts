import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fixtureServer } from './driver/servers';
import { until } from './driver/until';
import { Workbench } from './driver/workbench';
import { wholeLines } from '../harness/wholeLines';

interface Received {
  readonly method?: string;
  readonly result?: { readonly roots?: readonly { readonly uri: string; readonly name?: string }[] };
}

const server = { ...fixtureServer('asksRoots'), env: { WIRE_TRACE: '${userHome}/roots.trace' } };
const harbour = { path: 'harbour' };
const odd = { path: 'Straße #1 100%', name: 'The street' };
const pier = { path: 'pier' };

describe('roots', () => {
  let workbench: Workbench;
  before(async () => {
    workbench = await Workbench.open({
      folders: [harbour, odd],
      settings: { 'portico.servers': { asking: server } },
    });
    await workbench.openPortico();
  });
  after(() => workbench.close());

  const received = (): Received[] => {
    const trace = join(workbench.server.home, 'roots.trace');
    const lines = wholeLines(trace);
    return lines.map((line) => JSON.parse(line) as Received);
  };
  const answers = () => received().flatMap(({ result }) => (result?.roots ? [result.roots] : []));
  const changes = () => received().filter(({ method }) => method === 'notifications/roots/list_changed').length;
  const root = (path: string, name = path) => ({ uri: pathToFileURL(join(workbench.folder, path)).href, name });

  it('are the folders of the workspace, with their names and coded as addresses are', async () => {
    await workbench.tree.action('asking, stopped', 'Start Server');
    await until('an answer', () => answers().length === 1);
    assert.deepEqual(answers()[0], [root('harbour'), root('Straße #1 100%', 'The street')]);
    assert.match(answers()[0]?.[1]?.uri ?? '', /\/Stra%C3%9Fe%20%231%20100%25$/);
  });

  it('are asked for again, once, after each folder that is added, renamed or removed', async () => {
    const edits = [
      [
        [harbour, odd, pier],
        [root('harbour'), root(odd.path, odd.name), root('pier')],
      ],
      [
        [harbour, { ...odd, name: 'Renamed' }, pier],
        [root('harbour'), root(odd.path, 'Renamed'), root('pier')],
      ],
      [
        [harbour, pier],
        [root('harbour'), root('pier')],
      ],
    ] as const;
    for (const [index, [folders, expected]] of edits.entries()) {
      workbench.useFolders(folders);
      await until(`the answer to change ${index + 1}`, () => answers().length === index + 2);
      assert.deepEqual(answers().at(-1), expected);
    }
    assert.equal(changes(), edits.length);
  });

  it('are those of now for a server that was started after the extension host was restarted', async () => {
    const before = answers().length;
    await workbench.model.whileRestarting(async () => workbench.useFolders([pier, odd]));
    await workbench.openPortico();
    await workbench.tree.action('asking, stopped', 'Start Server');
    await until('an answer to the new process', () => answers().length > before);
    assert.deepEqual(answers().at(-1), [root('pier'), root(odd.path, odd.name)]);
  });

  it('say nothing in notifications', async () => {
    await workbench.notifications.waitForNone();
  });
});
