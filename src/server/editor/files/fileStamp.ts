import type { Stats } from 'node:fs';

/** Another text for another file, and whenever it is written, whatever time it is given then. */
export function fileStamp({ size, mtimeMs, ctimeMs, ino }: Stats): string {
  return [size, mtimeMs, ctimeMs, ino].join(' ');
}
