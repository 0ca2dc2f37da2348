import { shownUrl } from '../../base/shownUrl';
import type { Launch, ServerDefinition } from '../../core/config/configTypes';
import { shownWord } from '../interop/text';

/** A command line as a person would type it, or the URL; variables unexpanded, so that no secret is in it. */
export function launchText(launch: Launch): string {
  return launch.type === 'stdio' ? [launch.command, ...launch.args].map(shownWord).join(' ') : shownUrl(launch.url);
}

/** `.mcp.json:12`, or the label of a source without a place. */
export function placeText({ source, place }: Pick<ServerDefinition, 'source' | 'place'>): string {
  return place ? `${source.label}:${place.line + 1}` : source.label;
}
