import { compileAgentGlobs } from '../agentGlobs';
import { pathsOfList } from './listedPaths';
import type { FilterParams, FilterResult, FoundPath } from './workerTypes';

/** The listed files that fit the globs, from a place of the list on. */
export function filterFiles({ files, include, scope, from, limit }: FilterParams): FilterResult {
  const included = include.length > 0 ? compileAgentGlobs(include) : () => true;
  const found: FoundPath[] = [];
  let total = 0;
  let next: number | undefined;
  pathsOfList(files).forEach((each, place) => {
    if ((scope && (scope.folder !== each.folder || !each.path.startsWith(scope.prefix))) || !included(each.path)) {
      return;
    }
    total += 1;
    if (place < from) {
      return;
    }
    if (found.length < limit) {
      found.push(each);
    } else {
      next ??= place;
    }
  });
  return { found, total, ...(next === undefined ? {} : { next }) };
}
