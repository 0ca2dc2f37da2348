import type { WindowRecord } from '../../../../src/server/discovery/discoveryTypes';

export function someRecord(id: string, more: Partial<WindowRecord> = {}, ...paths: string[]): WindowRecord {
  return {
    version: 1,
    id,
    pid: 1,
    machine: 'here',
    host: 'local',
    address: { kind: 'socket', path: '/none.sock' },
    clientTokens: {},
    token: 'secret',
    folders: paths.map((path) => ({ name: path.split(/[\\/]/).pop() ?? path, path, uri: `file://${path}` })),
    editor: { name: 'Code', version: '1.106.0' },
    isTrusted: true,
    startedAt: 1,
    lastFocusedAt: 1,
    protocolVersions: ['2025-11-25', '2026-07-28'],
    ...more,
  };
}
