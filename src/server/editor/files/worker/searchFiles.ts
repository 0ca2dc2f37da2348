import { closeSync, fstatSync, lstatSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readNoLinkFlags } from '../../../../base/openFlags';
import { compileAgentGlobs } from '../agentGlobs';
import { isOpenAt } from '../openPlace';
import type { FileMatches, SearchMatch, SearchOutcome } from '../searchTypes';
import { decodeText } from '../textDecoding';
import { compilePattern, matchText } from './matchText';
import { pathsOfList } from './listedPaths';
import type { SearchParams, SearchProgress } from './workerTypes';

/** Larger files are data. */
const LARGEST_BYTES = 5 * 1_024 * 1_024;
/** How often the other side hears that the search goes on, in milliseconds. */
const PROGRESS_MS = 100;

/**
 * Searches file by file in the order of the list, without a pause: it has a thread of its own, which is ended when it takes
 * too long at one file.
 */
export function searchFiles(params: SearchParams, progress: (value: SearchProgress) => void): SearchOutcome {
  const pattern = compilePattern(params.pattern);
  const included = params.include.length > 0 ? compileAgentGlobs(params.include) : () => true;
  const excluded = compileAgentGlobs(params.exclude);
  const buffers = new Map(params.buffers.map(({ folder, path, text }) => [`${folder}/${path}`, text]));
  const reader = new TextReader(params.folders);
  const paths = pathsOfList(params.files);
  const deadline = performance.now() + params.budgetMs;
  const files: FileMatches[] = [];
  let [searched, skipped, left, told] = [0, 0, params.maxMatches, performance.now()];
  let characters = 0;
  for (let file = params.from.file; file < paths.length; file += 1) {
    const { folder, path } = paths[file] ?? { folder: 0, path: '' };
    const now = performance.now();
    if (now - told > PROGRESS_MS) {
      told = now;
      progress({ done: file, total: paths.length });
    }
    if (now > deadline) {
      return { files, searched, skipped, next: { file, skip: 0 }, stopped: 'time' };
    }
    const inScope = !params.scope || (params.scope.folder === folder && path.startsWith(params.scope.prefix));
    if (!inScope || !included(path) || excluded(path)) {
      continue;
    }
    const buffer = buffers.get(`${folder}/${path}`);
    const text = buffer ?? reader.read(folder, path);
    if (text === undefined) {
      skipped += 1;
      continue;
    }
    searched += 1;
    const skip = file === params.from.file ? params.from.skip : 0;
    const matches: SearchMatch[] = [];
    let seen = 0;
    for (const match of matchText(text.replaceAll('\r\n', '\n'), pattern, params.contextLines)) {
      seen += 1;
      characters += seen > skip ? sizeOf(match) + (matches.length === 0 ? 3 * path.length + FILE : 0) : 0;
      const isFull = left === 0 || (characters > params.maxCharacters && left < params.maxMatches);
      if (seen > skip && isFull) {
        files.push(...(matches.length > 0 ? [{ folder, path, isBuffer: buffer !== undefined, matches }] : []));
        return { files, searched, skipped, next: { file, skip: seen - 1 }, stopped: 'matches' };
      }
      if (seen > skip) {
        matches.push(match);
        left -= 1;
      }
    }
    if (matches.length > 0) {
      files.push({ folder, path, isBuffer: buffer !== undefined, matches });
    }
  }
  return { files, searched, skipped };
}

/** About what a match takes in an answer beside its texts, and a file beside its path. */
const MATCH = 90;
const FILE = 120;

/** Structured, and its line once more in plain text. */
function sizeOf({ text, before = [], after = [] }: SearchMatch): number {
  return MATCH + text.length + JSON.stringify([text, ...before, ...after]).length;
}

/** Reads texts where the list says they are, and nothing that a link put there since. */
class TextReader {
  private readonly directories = new Map<string, boolean>();

  constructor(private readonly folders: SearchParams['folders']) {}

  /** Nothing for what is no text, too large, or not to be read. */
  read(folder: number, path: string): string | undefined {
    const { path: root = '', realPath = '' } = this.folders[folder] ?? {};
    const whole = join(root, path);
    if (!this.isAsListed(dirname(whole), root, realPath)) {
      return undefined;
    }
    let open: number | undefined;
    try {
      // Before it is opened: Windows cannot open a link as such.
      if (!lstatSync(whole).isFile()) {
        return undefined;
      }
      open = openSync(whole, readNoLinkFlags);
      const stats = fstatSync(open);
      // A directory on the way may have become a link since it was looked at.
      const isText = stats.isFile() && stats.size <= LARGEST_BYTES && isOpenAt(open, join(realPath, path));
      const decoded = isText ? decodeText(readFileSync(open)) : undefined;
      return decoded?.kind === 'text' ? decoded.text : undefined;
    } catch {
      // Removed meanwhile, or not to be read: it is counted as skipped.
      return undefined;
    } finally {
      if (open !== undefined) {
        closeSync(open);
      }
    }
  }

  /** Whether a directory still is where it was: the list has no links to directories. */
  private isAsListed(directory: string, root: string, realPath: string): boolean {
    let found = this.directories.get(directory);
    if (found === undefined) {
      try {
        found = realpathSync.native(directory) === join(realPath, directory.slice(root.length));
      } catch {
        // Removed meanwhile.
        found = false;
      }
      this.directories.set(directory, found);
    }
    return found;
  }
}
