/** Ends a process and all that it has started, at once, on Windows. `pid` may be a placeholder. */
export function taskkillCommand(pid: number | string): readonly [string, readonly string[]] {
  return ['taskkill', ['/PID', String(pid), '/T', '/F']];
}
