import type { ServerLists } from '../../core/connections/connectionTypes';
import type { ServerStatus } from '../../core/hubTypes';
import { counted, inertLine } from '../interop/text';

export interface StatusText {
  readonly text: string;
  readonly tooltip: string;
  /** A call waits for approval: worth a coloured background. */
  readonly urgent: boolean;
}

/** What there is to tell of. */
export interface StatusSources {
  readonly servers: readonly { readonly status: ServerStatus; readonly lists: ServerLists }[];
  readonly waitingCalls: number;
  /** The labels of the agents that are there now; `undefined` while nothing is shared. */
  readonly agents: readonly string[] | undefined;
}

/** What the status bar says of all servers and of sharing; nothing where there is neither. */
export function statusText({ servers, waitingCalls, agents }: StatusSources): StatusText | undefined {
  const parts = [
    ...(servers.length > 0 || waitingCalls > 0 ? [serversPart(servers, waitingCalls)] : []),
    ...(agents === undefined ? [] : [agentsPart(agents)]),
  ];
  return parts.length === 0
    ? undefined
    : {
        text: parts.map(({ text }) => text).join(' '),
        tooltip: `Portico: ${parts.map(({ words }) => words).join('; ')}`,
        urgent: waitingCalls > 0,
      };
}

interface Part {
  readonly text: string;
  readonly words: string;
}

function serversPart(servers: StatusSources['servers'], waitingCalls: number): Part {
  if (waitingCalls > 0) {
    const words = `${counted(waitingCalls, 'call')} ${waitingCalls === 1 ? 'waits' : 'wait'} for you`;
    return { text: `$(warning) ${needs(waitingCalls)}`, words };
  }
  const troubled = servers.filter(({ status }) => isFailed(status) || isUnanswered(status)).length;
  if (troubled > 0) {
    const words = `${counted(troubled, 'server')} ${troubled === 1 ? 'needs' : 'need'} you`;
    return { text: `$(warning) ${needs(troubled)}`, words };
  }
  const usable = servers.filter(({ status, lists }) => isUsable(status, lists)).length;
  return { text: `$(server) ${usable}`, words: `${counted(usable, 'server')} ready or known from the last start` };
}

function agentsPart(agents: readonly string[]): Part {
  return agents.length === 0
    ? { text: '$(broadcast)', words: 'shared with agents, none is here now' }
    : {
        text: `$(broadcast) ${agents.length}`,
        words: `shared with ${agents.map((label) => inertLine(label, 40)).join(', ')}`,
      };
}

function needs(count: number): string {
  return count === 1 ? '1 needs you' : `${count} need you`;
}

function isFailed({ kind }: ServerStatus): boolean {
  return kind === 'failed' || kind === 'signInRequired';
}

function isUnanswered(status: ServerStatus): boolean {
  return status.kind === 'notApproved' && !status.refused;
}

function isUsable(status: ServerStatus, lists: ServerLists): boolean {
  return status.kind === 'ready' || (status.kind === 'stopped' && lists.tools.from !== 'none');
}
