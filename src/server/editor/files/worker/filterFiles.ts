import { percentEncoded } from '../../../../base/halfCharacters';
import { compileAgentGlobs } from '../agentGlobs';
import { pathsOfList } from './listedPaths';
import type { FilterParams, FilterResult, FoundPath } from './workerTypes';

/** About what a file takes in an answer beside its path, which is there as such twice, and in its URI. */
const FILE = 60;

/** The listed files that fit the globs, from a place of the list on. */
export function filterFiles({ files, include, scope, from, limit, maxCharacters }: FilterParams): FilterResult {
  const included = include.length > 0 ? compileAgentGlobs(include) : () => true;
  const found: FoundPath[] = [];
  let total = 0;
  let characters = 0;
  let next: number | undefined;
  pathsOfList(files).forEach((each, place) => {
    if ((scope && (scope.folder !== each.folder || !each.path.startsWith(scope.prefix))) || !included(each.path)) {
      return;
    }
    total += 1;
    if (place < from) {
      return;
    }
    characters += next === undefined ? FILE + 2 * each.path.length + percentEncoded(each.path).length : 0;
    if (next === undefined && found.length < limit && (characters <= maxCharacters || found.length === 0)) {
      found.push(each);
    } else {
      next ??= place;
    }
  });
  return { found, total, ...(next === undefined ? {} : { next }) };
}
