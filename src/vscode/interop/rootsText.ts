import type { Root } from '@modelcontextprotocol/client';
import { fileURLToPath } from 'node:url';
import { writtenOut } from './text';

const most = 6;

/** The directories of roots as people read them; what would not be seen is written out. */
export function rootPaths(roots: readonly Root[]): readonly string[] {
  return roots.map(({ uri }) => writtenOut(fileURLToPath(uri)));
}

/** `It is told of these folders: /a, /b and 3 more.` */
export function rootsText(roots: readonly Root[]): string {
  const paths = rootPaths(roots);
  const rest = paths.length - most;
  switch (paths.length) {
    case 0:
      return 'It is told of no folder.';
    case 1:
      return `It is told of this folder: ${paths[0]}`;
    default:
      return `It is told of these folders: ${paths.slice(0, most).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
  }
}
