import { assertNever } from '../../base/errors';
import type { ServerDefinition } from '../../core/config/configTypes';
import type { ServerStatus } from '../../core/hubTypes';
import { plainLine } from '../interop/text';
import { launchText, placeText } from './launchText';

/** What stands below a server that has neither tools nor prompts to show: why, or what it would run. */
export function hintText(definition: ServerDefinition, status: ServerStatus): string {
  switch (status.kind) {
    case 'ready':
      return 'It offers no tools and no prompts.';
    case 'failed':
    case 'signInRequired':
      return plainLine(status.problem.message, 400);
    case 'reconnecting':
      return plainLine(status.reason, 400);
    case 'notApproved':
    case 'starting':
    case 'restricted':
      return plainLine(launchText(definition.launch), 400);
    case 'editor':
      return 'VS Code’s chat uses its own copy.';
    case 'off':
      return `Turned off in ${plainLine(placeText(definition), 100)}.`;
    case 'self':
      return 'This entry leads back to Portico itself.';
    case 'stopped':
      return 'What it offers shows once it has been started.';
    default:
      return assertNever(status);
  }
}
