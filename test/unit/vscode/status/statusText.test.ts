import { deepEqual, equal } from 'node:assert/strict';
import type { ServerLists } from '../../../../src/core/connections/connectionTypes';
import type { ServerStatus } from '../../../../src/core/hubTypes';
import { statusText } from '../../../../src/vscode/status/statusText';

const server = (status: ServerStatus, from: 'none' | 'cache' = 'none') => ({
  status,
  lists: { tools: { from } } as unknown as ServerLists,
});
const failed: ServerStatus = { kind: 'failed', problem: { code: 'X', message: '' }, detail: [] };

describe('statusText', () => {
  it('is absent while there is no server', () => {
    equal(statusText([], 0), undefined);
  });

  it('counts servers that are ready or known', () => {
    const servers = [server({ kind: 'stopped' }, 'cache'), server({ kind: 'stopped' }), server({ kind: 'off' })];
    equal(statusText(servers, 0)?.text, '$(server) 1');
  });

  it('says how many need the person, and is urgent only for a waiting call', () => {
    const servers = [server(failed), server({ kind: 'notApproved', refused: true })];
    deepEqual([statusText(servers, 0)?.text, statusText(servers, 0)?.urgent], ['$(warning) 1 needs you', false]);
    deepEqual([statusText(servers, 2)?.text, statusText(servers, 2)?.urgent], ['$(warning) 2 need you', true]);
  });
});
