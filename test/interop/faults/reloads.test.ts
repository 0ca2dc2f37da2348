import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTestHub } from '../../harness/testHub';
import { note } from '../note';
import { collectedMemory } from './collectedMemory';
import { fixture } from './habit';
import { MarkedProcesses } from './markedProcesses';

const RELOADS = 100;
/** After these everything is loaded and compiled that is needed. */
const WARM = 20;
/** In megabytes. */
const MOST_GROWTH = 4;
const caller = { kind: 'cli', label: 'reloads' } as const;

describe('window reloads', () => {
  const folder = mkdtempSync(join(tmpdir(), 'portico-reloads-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it(`${RELOADS} hubs, one after another`, async function () {
    this.timeout(600_000);
    const marks = { session: new MarkedProcesses(), stateless: new MarkedProcesses() };
    const entries = {
      session: { ...fixture('plain'), env: marks.session.env },
      stateless: { ...fixture('stateless'), env: marks.stateless.env },
    };
    const ids = ['session', 'stateless'] as const;
    const expected = process.platform === 'linux' ? 1 : 0;

    const reload = async (): Promise<void> => {
      const { hub, close } = await openTestHub(entries, { folder });
      for (const server of ids) {
        await hub.start(server, { interactive: false });
        const [tool] = hub.catalog.tools.peek().filter(({ ref, problem }) => ref.server === server && !problem);
        assert.ok(tool);
        await hub.callTool(tool.ref, {}, { caller });
        assert.equal(marks[server].list().length, expected, `processes of ${server}`);
      }
      await close();
      for (const server of ids) {
        assert.deepEqual(await marks[server].left(), [], `processes of ${server} after its hub`);
      }
    };
    for (let count = 0; count < WARM; count += 1) {
      await reload();
    }
    const [memory, handles] = [await collectedMemory(), openHandles()];
    for (let count = WARM; count < RELOADS; count += 1) {
      await reload();
    }
    const growth = (await collectedMemory()) - memory;
    note(
      this,
      `one process per server, none left; ${growth.toFixed(1)} MB, handles ${handles} before and ${openHandles()} after`,
    );
    assert.ok(growth < MOST_GROWTH, `${growth} MB more are alive`);
    assert.ok(openHandles() <= handles);
  });
});

/** Pipes, sockets, processes and watchers that this process holds; timers come and go. */
function openHandles(): number {
  return process.getActiveResourcesInfo().filter((kind) => !/Timeout|Immediate|Request|Req/.test(kind)).length;
}
