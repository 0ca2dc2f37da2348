import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { signal } from '@preact/signals-core';
import type { ProgressUpdate } from '../../src/core/connections/connectionTypes';
import { skip } from '../harness/skip';
import { openTestHub, type TestHub } from '../harness/testHub';
import { FakeModels, FakeSamplingSettings, FakeSamplingUi, words } from '../unit/core/clientFeatures/fakeModels';
import { until } from '../unit/core/connections/until';
import { noCache } from './noCache';
import { note } from './note';
import { peers } from './peers';

const caller = { kind: 'manual', label: 'the test' } as const;
/** Installing a toolchain's packages, once. */
const INSTALL_MS = 600_000;

const revisions: Readonly<Record<keyof typeof peers, readonly [string, string]>> = {
  'Python SDK 1, FastMCP': ['session', '2025-11-25'],
  'Python SDK 2, MCPServer': ['stateless', '2026-07-28'],
  'Java SDK 2': ['session', '2025-11-25'],
};

for (const [name, provide] of Object.entries(peers)) {
  describe(name, () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'portico-peer-')));
    const models = new FakeModels();
    let test: TestHub;

    before(async function () {
      this.timeout(INSTALL_MS);
      const provided = await provide();
      if ('missing' in provided) {
        return skip(this, provided.missing);
      }
      mkdirSync(join(folder, 'root'));
      test = await openTestHub(
        { peer: provided.entry },
        {
          cache: noCache,
          roots: { rootsFor: async () => signal([{ uri: pathToFileURL(join(folder, 'root')).href, name: 'root' }]) },
          sampling: async () => ({
            backend: models,
            ui: new FakeSamplingUi(),
            settings: new FakeSamplingSettings(),
          }),
          elicitationUi: { ask: async () => ({ action: 'accept', content: { name: 'Ada' } }) },
        },
      );
      await test.hub.start('peer', { interactive: false });
    });
    after(async () => {
      await test?.close();
      rmSync(folder, { recursive: true, force: true });
    });

    const call = async (
      tool: string,
      args: Readonly<Record<string, unknown>> = {},
      onProgress: (update: ProgressUpdate) => void = () => undefined,
    ): Promise<string | undefined> => {
      const { content } = await test.hub.callTool({ server: 'peer', name: tool }, args, { caller, onProgress });
      return content[0]?.type === 'text' ? content[0].text : undefined;
    };
    const tools = (): readonly string[] =>
      test.hub.server('peer')?.lists.value.tools.items.map((one) => one.name) ?? [];

    it('era, revision, instructions', function () {
      const info = test.hub.server('peer')?.lastInfo.value;
      assert.deepEqual([info?.era, info?.protocolVersion], revisions[name as keyof typeof peers]);
      assert.equal(info?.instructions, 'Counts, asks and grows.');
      note(this, `${info?.era}, ${info?.protocolVersion}`);
    });

    it('lists of several pages, and a prompt', async () => {
      const uris = test.hub.server('peer')?.lists.value.resources.items.map(({ uri }) => uri) ?? [];
      // The Java SDK keeps no order.
      assert.deepEqual([...uris].sort(), Array.from({ length: 25 }, (_, index) => `peer://item/${index}`).sort());
      const { messages } = await test.hub.getPrompt('peer', 'greet', { name: 'Ada' });
      assert.deepEqual(
        messages.map(({ content }) => content.type === 'text' && content.text),
        ['Greet Ada.'],
      );
    });

    it('progress', async () => {
      const updates: ProgressUpdate[] = [];
      assert.equal(await call('count', { to: 3 }, (update) => updates.push(update)), 'counted to 3');
      assert.deepEqual(
        updates,
        [1, 2, 3].map((progress) => ({ progress, total: 3, message: `step ${progress}` })),
      );
    });

    it('elicitation', async () => {
      assert.equal(await call('ask'), 'hello Ada');
    });

    it('sampling', async () => {
      models.script.push([words('something')]);
      assert.equal(await call('sample'), 'the model says something');
      const { messages } = models.sent[0]?.params ?? {};
      assert.match(JSON.stringify(messages), /Say something\./);
    });

    it('roots', async () => {
      assert.equal(await call('roots'), pathToFileURL(join(folder, 'root')).href);
    });

    it('a list that changes', async () => {
      assert.equal(tools().includes('grown'), false);
      assert.equal(await call('grow'), 'grew');
      await until(() => tools().includes('grown'));
      assert.equal(await call('grown'), 'grown');
    });
  });
}
