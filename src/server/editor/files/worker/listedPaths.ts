import type { FoundPath, ListedFiles } from './workerTypes';
import type { FileList } from './fileList';

const SEPARATOR = '\0';

export function listOf(lists: readonly Pick<FileList, 'paths'>[]): ListedFiles {
  const text = lists.flatMap(({ paths }) => paths.map((path) => path + SEPARATOR)).join('');
  const encoded = Buffer.from(text);
  const total = lists.reduce((sum, { paths }) => sum + paths.length, 0);
  const bytes = new SharedArrayBuffer(encoded.length);
  new Uint8Array(bytes).set(encoded);
  const offsets = new SharedArrayBuffer(Uint32Array.BYTES_PER_ELEMENT * (total + 1));
  const starts = new Uint32Array(offsets);
  for (let index = 1, at = encoded.indexOf(0); at >= 0; index += 1, at = encoded.indexOf(0, at + 1)) {
    starts[index] = at + 1;
  }
  return { bytes, offsets, counts: lists.map(({ paths }) => paths.length) };
}

/** All of them: for the worker, which has the time. */
export function pathsOfList(files: ListedFiles): readonly FoundPath[] {
  const paths = Buffer.from(files.bytes).toString('utf8').split(SEPARATOR);
  let next = 0;
  return files.counts.flatMap((count, folder) => paths.slice(next, (next += count)).map((path) => ({ folder, path })));
}

/** Some of them, from a place on. */
export function pathsFrom(files: ListedFiles, start: number, limit: number): readonly FoundPath[] {
  const bytes = Buffer.from(files.bytes);
  const starts = new Uint32Array(files.offsets);
  const found: FoundPath[] = [];
  let [folder, end] = [0, files.counts[0] ?? 0];
  for (let index = start; index < Math.min(start + limit, starts.length - 1); index += 1) {
    while (index >= end && folder < files.counts.length - 1) {
      folder += 1;
      end += files.counts[folder] ?? 0;
    }
    const [from = 0, to = 1] = starts.subarray(index, index + 2);
    found.push({ folder, path: bytes.toString('utf8', from, to - SEPARATOR.length) });
  }
  return found;
}
