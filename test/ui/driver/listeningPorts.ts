import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';

const listening = '0A';

/**
 * TCP ports on which processes listen, ascending; each process is a line that starts with its id. Read from /proc, so
 * elsewhere there is none.
 */
export function listeningPorts(processes: readonly string[]): number[] {
  const ports = new Map(['/proc/net/tcp', '/proc/net/tcp6'].flatMap(listeners));
  const sockets = new Set(processes.flatMap((line) => socketsOf(Number.parseInt(line))));
  return [...new Set([...ports].flatMap(([inode, port]) => (sockets.has(inode) ? [port] : [])))].sort((a, b) => a - b);
}

/** Inode and port of each socket in a table of the kernel that listens. */
function listeners(table: string): [string, number][] {
  if (!existsSync(table)) {
    return [];
  }
  const rows = readFileSync(table, 'utf8').trim().split('\n').slice(1);
  return rows.flatMap((row): [string, number][] => {
    const [, local = '', , state, , , , , , inode = ''] = row.trim().split(/\s+/);
    return state === listening ? [[inode, Number.parseInt(local.split(':')[1] ?? '', 16)]] : [];
  });
}

function socketsOf(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  return unlessGone(() => readdirSync(folder)).flatMap((fd) =>
    unlessGone(() => /^socket:\[(\d+)\]$/.exec(readlinkSync(`${folder}/${fd}`))?.slice(1) ?? []),
  );
}

/** A process may end, and close any file, while it is looked at; its other files still count. */
function unlessGone(look: () => string[]): string[] {
  try {
    return look();
  } catch {
    return [];
  }
}
