import { shownUrl } from '../../base/shownUrl';
import type { Launch } from '../config/configTypes';

/** What is run, as the entry has it: variables unexpanded, so that no secret shows. */
export function launchLine(launch: Launch): string {
  return launch.type === 'stdio' ? [launch.command, ...launch.args].join(' ') : shownUrl(launch.url);
}
