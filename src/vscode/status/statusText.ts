import type { ServerLists } from '../../core/connections/connectionTypes';
import type { ServerStatus } from '../../core/hubTypes';
import { counted } from '../interop/text';

export interface StatusText {
  readonly text: string;
  readonly tooltip: string;
  /** A call waits for approval: worth a coloured background. */
  readonly urgent: boolean;
}

/** What the status bar says of all servers; nothing where there is none. */
export function statusText(
  servers: readonly { readonly status: ServerStatus; readonly lists: ServerLists }[],
  waitingCalls: number,
): StatusText | undefined {
  if (servers.length === 0) {
    return undefined;
  }
  if (waitingCalls > 0) {
    const calls = `${counted(waitingCalls, 'call')} ${waitingCalls === 1 ? 'waits' : 'wait'} for you`;
    return { text: `$(warning) ${needs(waitingCalls)}`, tooltip: `Portico: ${calls}`, urgent: true };
  }
  const troubled = servers.filter(({ status }) => isFailed(status) || isUnanswered(status)).length;
  if (troubled > 0) {
    const tooltip = `Portico: ${counted(troubled, 'server')} ${troubled === 1 ? 'needs' : 'need'} you`;
    return { text: `$(warning) ${needs(troubled)}`, tooltip, urgent: false };
  }
  const usable = servers.filter(({ status, lists }) => isUsable(status, lists)).length;
  return {
    text: `$(server) ${usable}`,
    tooltip: `Portico: ${counted(usable, 'server')} ready or known from the last start`,
    urgent: false,
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
