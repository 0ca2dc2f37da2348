import assert from 'node:assert/strict';
import { signal } from '@preact/signals-core';
import { createCatalog } from '../../../../src/core/catalog/catalog';
import type { ServerLists } from '../../../../src/core/connections/connectionTypes';
import { chooseTools, toolBudget } from '../../../../src/vscode/chat/chooseTools';

function catalogOf(servers: Readonly<Record<string, readonly string[]>>) {
  const none = { from: 'server' as const, items: [], setAside: [] };
  const all = Object.entries(servers).map(([key, names]) => ({
    id: key,
    key,
    lists: signal<ServerLists>({
      tools: { ...none, items: names.map((name) => ({ name, inputSchema: { type: 'object' as const } })) },
      resources: none,
      templates: none,
      prompts: none,
    }),
  }));
  return { catalog: createCatalog(signal(all)) };
}
const many = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}_${index}`);

describe('tools for one question to @portico', () => {
  it('are all of them where they fit', async () => {
    const hub = catalogOf({ files: many('read', toolBudget) });
    const { tools, more } = await chooseTools(hub, 'anything', new Set());
    assert.deepEqual([tools.length, more], [toolBudget, false]);
  });

  it('beyond the budget: those used before, those found, those of a server that is named', async () => {
    const hub = catalogOf({ files: many('read', 50), jira: ['create_issue', 'close_issue'], big: many('other', 500) });
    const { tools, more } = await chooseTools(hub, 'create an issue, then look into files', new Set(['big_other_7']));
    const names = tools.map(({ exposedName }) => exposedName);
    assert.equal(more, true);
    assert.ok(names.length <= toolBudget);
    assert.equal(names[0], 'big_other_7');
    assert.ok(names.includes('jira_create_issue'));
    assert.ok(names.includes('files_read_0'));
    assert.equal(new Set(names).size, names.length);
  });
});
