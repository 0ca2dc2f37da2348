import { deepEqual, equal } from 'node:assert/strict';
import type { ServerDefinition } from '../../../../src/core/config/configTypes';
import type { ServerLists } from '../../../../src/core/connections/connectionTypes';
import type { ServerStatus } from '../../../../src/core/hubTypes';
import { needsPerson, serverRow } from '../../../../src/vscode/servers/serverRow';

const info = {
  era: 'session',
  protocolVersion: '2025-11-25',
  serverInfo: { name: 's', version: '1' },
  capabilities: {},
} as const;

describe('serverRow', () => {
  it('begins every description with the state', () => {
    const known = lists(9, 0, 0, 'cache');
    const texts = [
      row({ kind: 'stopped' }).description,
      row({ kind: 'stopped' }, known).description,
      row({ kind: 'ready', info }, lists(14, 9, 0)).description,
      row({ kind: 'ready', info }, lists(0, 0, 0)).description,
      row({ kind: 'reconnecting', attempt: 2, of: 5, reason: 'gone' }).description,
      row(failed('SERVER_EXITED', '"db" exited with code 1: DATABASE_URL is not set')).description,
      row({ kind: 'signInRequired', problem: { code: 'UNAUTHORIZED', message: '' } }).description,
      row({ kind: 'notApproved', refused: false }).description,
      row({ kind: 'notApproved', refused: true }).description,
      row({ kind: 'editor' }).description,
      row({ kind: 'off' }).description,
      row({ kind: 'restricted' }).description,
      row({ kind: 'self' }).description,
    ];
    deepEqual(texts, [
      'Stopped',
      '9 tools · starts on first use',
      '14 tools · 9 resources',
      'Ready',
      'Reconnecting, try 2 of 5',
      'Failed: DATABASE_URL is not set',
      'Sign in required',
      'Not approved · .mcp.json',
      'Kept off · not approved',
      'Run by VS Code',
      'Off',
      'Restricted Mode',
      'Portico itself · never started',
    ]);
  });

  it('speaks without glyphs', () => {
    equal(row({ kind: 'stopped' }, lists(9, 0, 0, 'cache')).spoken, 'stopped, 9 tools known, starts on first use');
    equal(row({ kind: 'ready', info }, lists(1, 2, 0)).spoken, 'ready, 1 tool, 2 resources');
    equal(row({ kind: 'notApproved', refused: false }).spoken, 'not approved, from .mcp.json');
    equal(
      row({ kind: 'starting', since: 0, stage: 'launching' }, lists(0, 0, 0), 12_000).spoken,
      'starting, no answer for 10 s',
    );
  });

  it('changes a starting row at 5, 10 and 30 seconds only', () => {
    const at = (ms: number) => row({ kind: 'starting', since: 0, stage: 'installing' }, lists(0, 0, 0), ms).description;
    deepEqual([0, 4_999, 5_000, 9_999, 10_000, 29_999, 30_000, 300_000].map(at), [
      'Starting…',
      'Starting…',
      'Starting… installing package',
      'Starting… installing package',
      'Starting… no answer for 10 s',
      'Starting… no answer for 10 s',
      'Starting… no answer for 30 s',
      'Starting… no answer for 30 s',
    ]);
  });

  it('gives each state its own shape', () => {
    const statuses: ServerStatus[] = [
      { kind: 'stopped' },
      { kind: 'starting', since: 0, stage: 'queued' },
      { kind: 'ready', info },
      { kind: 'reconnecting', attempt: 1, of: 5, reason: '' },
      failed('SERVER_EXITED', 'x'),
      { kind: 'signInRequired', problem: { code: 'UNAUTHORIZED', message: 'x' } },
      { kind: 'notApproved', refused: false },
      { kind: 'editor' },
      { kind: 'off' },
    ];
    const icons = statuses.map((status) => row(status).icon);
    equal(new Set(icons).size, icons.length);
  });

  it('tells menus who owns the entry', () => {
    equal(row({ kind: 'ready', info }).contextValue, 'server.ready');
    const definition = { ...entry, owner: 'editor' as const };
    equal(
      serverRow({ definition, status: { kind: 'editor' }, lists: lists(0, 0, 0), now: 0 }).contextValue,
      'server.editor.editorOwned',
    );
  });

  it('counts for the badge what only the person can do', () => {
    equal(needsPerson(failed('SERVER_EXITED', 'x')), true);
    equal(needsPerson({ kind: 'notApproved', refused: false }), true);
    equal(needsPerson({ kind: 'notApproved', refused: true }), false);
    equal(needsPerson({ kind: 'restricted' }), false);
  });
});

const entry: ServerDefinition = {
  id: 'db',
  key: 'db',
  source: { id: '.mcp.json', kind: 'mcpJson', scope: 'folder', label: '.mcp.json' },
  owner: 'portico',
  launch: { type: 'stdio', command: 'npx', args: ['-y', 'db-server'], env: {} },
  disabled: false,
  self: false,
  inputs: [],
  consentDigest: 'c',
  launchDigest: 'l',
};

function row(status: ServerStatus, offered = lists(0, 0, 0), now = 0) {
  return serverRow({ definition: entry, status, lists: offered, now });
}

function failed(code: string, message: string): ServerStatus {
  return { kind: 'failed', problem: { code, message }, detail: [] };
}

function lists(
  tools: number,
  resources: number,
  prompts: number,
  from: 'none' | 'cache' | 'server' = tools ? 'server' : 'none',
): ServerLists {
  const list = <T>(count: number, make: (index: number) => T) => ({
    from,
    items: Array.from({ length: count }, (_, index) => make(index)),
    setAside: [],
  });
  return {
    tools: list(tools, (index) => ({ name: `t${index}`, inputSchema: { type: 'object' as const } })),
    resources: list(resources, (index) => ({ name: `r${index}`, uri: `x:${index}` })),
    templates: list(0, () => ({ name: '', uriTemplate: '' })),
    prompts: list(prompts, (index) => ({ name: `p${index}` })),
  };
}
