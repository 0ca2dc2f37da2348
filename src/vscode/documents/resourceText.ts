import type { Problem } from '../../base/errors';
import type { ServerStatus } from '../../core/hubTypes';
import type { ResourceAddress } from '../interop/resourceAddress';
import { counted, plainLine, writtenOut } from '../interop/text';
import type { ReadOutcome } from './resourceReader';

export type ServerState = ServerStatus['kind'] | 'unknown';

/** What a document of a resource shows: its bytes, or why there are none. */
export interface Shown {
  readonly bytes: Uint8Array;
  readonly problem?: Problem;
}

/** The bytes of a part, the first where none is named. */
export function shownOf(outcome: ReadOutcome, { part = 0 }: ResourceAddress): Shown {
  if (outcome.problem) {
    return { bytes: new Uint8Array(), problem: outcome.problem };
  }
  const content = outcome.contents[part];
  if (content) {
    return { bytes: content.bytes };
  }
  const count = outcome.contents.length;
  const message =
    count === 0
      ? 'The resource is empty: the server sent no contents.'
      : `The resource has ${counted(count, 'part')} now, and this was part ${part + 1}.`;
  return { bytes: new Uint8Array(), problem: { code: 'RESOURCE_EMPTY', message } };
}

/** The text that stands in for a resource: what it is, why it is not here, and what can be done. */
export function reasonText(address: ResourceAddress, problem: Problem, state: ServerState, json: boolean): string {
  const lines = [
    problem.code === 'RESOURCE_EMPTY' ? 'There is nothing to show.' : 'This resource could not be loaded.',
    plainLine(`${/^-?\d+$/.test(problem.code) ? 'The server answered: ' : ''}${problem.message}`, 1_000),
    // A sentence a line: the editor breaks none.
    nextStep(problem, state, plainLine(address.server, 80)).replaceAll('. ', '.\n'),
    `Resource: ${writtenOut(address.uri).slice(0, 2_000)}`,
    `Server: ${plainLine(address.server, 200)}`,
  ].filter(Boolean);
  // In a JSON document a bare text would be marked as an error from end to end.
  return json ? `${JSON.stringify(lines, undefined, 2)}\n` : `${lines.join('\n\n')}\n`;
}

function nextStep({ code }: Problem, state: ServerState, server: string): string {
  switch (state) {
    case 'unknown':
      return `Once "${server}" is in the configuration again, start it; then the resource is loaded.`;
    case 'restricted':
      return 'Servers of the folder stay off in Restricted Mode. Trust the workspace, then start the server.';
    case 'off':
      return `Turn "${server}" on in the Servers view; then the resource is loaded.`;
    case 'ready':
      return code === 'RESOURCE_EMPTY'
        ? 'Choose "Try Again" above to read it again.'
        : 'Choose "Try Again" above, or Refresh in the Resources view: the server may no longer have the resource.';
    default:
      return `Choose "Start ${server}" above. The resource is loaded as soon as the server runs.`;
  }
}
