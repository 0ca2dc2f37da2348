import { deepEqual, equal } from 'node:assert/strict';
import type { ServerLists } from '../../../../src/core/connections/connectionTypes';
import type { ServerStatus } from '../../../../src/core/hubTypes';
import { type StatusSources, statusText } from '../../../../src/vscode/status/statusText';

const server = (status: ServerStatus, from: 'none' | 'cache' = 'none') => ({
  status,
  lists: { tools: { from } } as unknown as ServerLists,
});
const failed: ServerStatus = { kind: 'failed', problem: { code: 'X', message: '' }, detail: [] };

const textOf = (servers: StatusSources['servers'], waitingCalls = 0, agents?: readonly string[]) =>
  statusText({ servers, waitingCalls, agents });

describe('statusText', () => {
  it('is absent while there is no server', () => {
    equal(textOf([]), undefined);
  });

  it('counts servers that are ready or known', () => {
    const servers = [server({ kind: 'stopped' }, 'cache'), server({ kind: 'stopped' }), server({ kind: 'off' })];
    equal(textOf(servers)?.text, '$(server) 1');
  });

  it('says how many need the person, and is urgent only for a waiting call', () => {
    const servers = [server(failed), server({ kind: 'notApproved', refused: true })];
    deepEqual([textOf(servers)?.text, textOf(servers)?.urgent], ['$(warning) 1 needs you', false]);
    deepEqual([textOf(servers, 2)?.text, textOf(servers, 2)?.urgent], ['$(warning) 2 need you', true]);
  });

  it('tells of sharing beside the servers, and alone where there is none', () => {
    const servers = [server({ kind: 'ready' } as ServerStatus)];
    deepEqual(textOf([], 0, []), {
      text: '$(broadcast)',
      tooltip: 'Portico: shared with agents, none is here now',
      urgent: false,
    });
    deepEqual(textOf(servers, 0, ['Codex', 'Claude Code']), {
      text: '$(server) 1 $(broadcast) 2',
      tooltip: 'Portico: 1 server ready or known from the last start; shared with Codex, Claude Code',
      urgent: false,
    });
    deepEqual(textOf(servers, 1, ['Codex']), {
      text: '$(warning) 1 needs you $(broadcast) 1',
      tooltip: 'Portico: 1 call waits for you; shared with Codex',
      urgent: true,
    });
  });

  it('lets no label of an agent draw icons or lines', () => {
    equal(textOf([], 0, ['a $(error) b\nc'])?.tooltip, 'Portico: shared with a $ (error) b c');
  });
});
