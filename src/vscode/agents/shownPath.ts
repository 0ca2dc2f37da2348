import { posix, win32 } from 'node:path';
import type { AgentSurroundings } from './agentTypes';

/** A path as people write it: `~/.claude.json`. */
export function shownPath(path: string, { home, platform }: Pick<AgentSurroundings, 'home' | 'platform'>): string {
  const { sep } = platform === 'win32' ? win32 : posix;
  return path.startsWith(home + sep) ? `~${path.slice(home.length)}` : path;
}
