import { taskkillCommand } from '../../base/taskkill';

/**
 * What the reaper runs, as a text: it has no other file. Reads `+pid` and `-pid` lines and, once its stdin ends (the host is
 * gone, however it ended), asks the trees that are left to end and then insists. A server that ends with its host leaves
 * nothing that leads to children outside its group, so these are looked up now and then while it runs.
 */
export const REAPER_PROGRAM = `
const { readdirSync, readFileSync } = require('node:fs');
const { spawnSync } = require('node:child_process');
const trees = new Map();

/** [pid, parent, when it began] of each process that runs. */
function table() {
  try {
    if (process.platform === 'linux') {
      return readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name)).flatMap((name) => {
        try {
          const text = readFileSync('/proc/' + name + '/stat', 'utf8');
          const rest = text.slice(text.lastIndexOf(')') + 2).split(' ');
          return rest[0] === 'Z' ? [] : [[Number(name), Number(rest[1]), rest[19]]];
        } catch { return []; }
      });
    }
    const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,stat=,lstart='], { encoding: 'utf8', timeout: 2000 });
    return stdout.split('\\n').flatMap((line) => {
      const found = /^ *([0-9]+) +([0-9]+) +([^ ]+) +(.+?) *$/.exec(line);
      return found && found[3][0] !== 'Z' ? [[Number(found[1]), Number(found[2]), found[4]]] : [];
    });
  } catch { return []; }
}

/** Takes note of what is below each tree now; children of known ones too, whose own parents may be gone. */
function look() {
  const rows = table();
  const running = new Map(rows.map(([pid,, began]) => [pid, began]));
  for (const [root, family] of trees) {
    if (family.size === 0 && running.has(root)) family.set(root, running.get(root));
    // A number alone is not enough: by now another process may have it.
    for (const [pid, began] of family) if (pid !== root && running.get(pid) !== began) family.delete(pid);
    const known = new Set([...family.keys()].filter((pid) => running.get(pid) === family.get(pid)));
    for (let size = 0; size !== known.size; ) {
      size = known.size;
      for (const [pid, parent, began] of rows) {
        if (known.has(parent) && !known.has(pid)) { known.add(pid); family.set(pid, began); }
      }
    }
  }
  return running;
}

let watch;
let soon;
let text = '';
process.stdin.setEncoding('utf8').on('data', (chunk) => {
  const lines = (text + chunk).split('\\n');
  text = lines.pop();
  for (const line of lines) {
    const pid = Number(line.slice(1));
    if (line[0] === '+') trees.set(pid, new Map()); else trees.delete(pid);
  }
  if (process.platform === 'win32') return;
  look();
  if (process.platform === 'linux') {
    clearTimeout(soon);
    soon = setTimeout(look, 2000);
    watch ??= setInterval(look, 30000);
  }
}).on('end', () => {
  clearTimeout(soon);
  clearInterval(watch);
  if (process.platform === 'win32') {
    const [command, args] = ${JSON.stringify(taskkillCommand('PID'))};
    for (const pid of trees.keys()) spawnSync(command, args.map((arg) => (arg === 'PID' ? String(pid) : arg)));
    return;
  }
  const send = (pid, signal) => { try { process.kill(pid, signal); } catch {} };
  const each = (signal) => {
    const running = look();
    for (const [root, family] of trees) {
      if (!running.has(root) || running.get(root) === family.get(root)) send(-root, signal);
      for (const [pid, began] of family) if (running.get(pid) === began) send(pid, signal);
    }
  };
  if (trees.size > 0) {
    each('SIGTERM');
    setTimeout(() => each('SIGKILL'), 1000);
  }
});
`;
