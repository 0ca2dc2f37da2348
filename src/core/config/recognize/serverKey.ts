/** A good name for a server that a command line starts: that of its package, image or folder, without the usual affixes. */
export function keyOfCommand(command: string, args: readonly string[]): string {
  const runner = baseName(command).replace(/\.(exe|cmd|bat)$/i, '');
  const [, inner = '', ...rest] = args;
  const plain = runner === 'cmd' ? keyOfRunner(inner, rest) : keyOfRunner(runner, args);
  return plain ?? (nameOf(runner) || 'server');
}

/** The name of what an address belongs to: `https://mcp.linear.app/sse` is `linear`. */
export function keyOfUrl(url: string): string {
  const { hostname, port } = new URL(url);
  if (hostname === 'localhost' || /^[\d.]+$|^\[/.test(hostname)) {
    return port === '' ? 'local' : `local-${port}`;
  }
  const labels = hostname.split('.').slice(0, -1);
  const last = labels.at(-1) ?? hostname;
  const owner = labels.length > 1 && ['co', 'com', 'org', 'net', 'ac'].includes(last) ? labels.at(-2) : last;
  return cleanKey(owner ?? hostname);
}

/** Letters, digits, dots, dashes and underscores: what every host takes for a name. */
export function cleanKey(text: string): string {
  return text.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[-.]+|[-.]+$/g, '') || 'server';
}

const packageRunners = ['npx', 'bunx', 'uvx', 'pipx', 'pnpm', 'yarn', 'npm', 'bun', 'uv', 'deno', 'pnpx'];
const verbs = ['dlx', 'exec', 'run', 'x', 'tool', '--'];
const interpreters = ['node', 'python', 'python3', 'py', 'ruby', 'tsx', 'ts-node', 'java', 'dotnet', 'bash', 'sh'];
const flagsWithValue = ['--from', '--with', '--python', '-p', '--package', '--directory', '--project', '--index-url'];

function keyOfRunner(runner: string, args: readonly string[]): string | undefined {
  if (runner === 'docker' || runner === 'podman') {
    return keyOfImage(args);
  }
  if (!packageRunners.includes(runner) && !interpreters.includes(runner)) {
    return undefined;
  }
  const folder = args[args.indexOf('--directory') + 1];
  const rest = args.filter((arg, index) => !arg.startsWith('-') && !flagsWithValue.includes(args[index - 1] ?? ''));
  const target = rest.find((arg) => !verbs.includes(arg)) ?? args[args.indexOf('-m') + 1];
  if (target === undefined) {
    return undefined;
  }
  const isPath = /[\\/]/.test(target) && !target.startsWith('@');
  const isScript = /\.(m|c)?[jt]s$|\.py$|\.jar$|\.rb$|\.sh$/.test(target);
  if (!isPath && !isScript) {
    return nameOf(target);
  }
  return keyOfPath(args.includes('--directory') ? `${folder ?? ''}/${target}` : target);
}

/** The first folder or file from the right whose name says more than where code is built to. */
function keyOfPath(path: string): string {
  const dull = [
    'build',
    'dist',
    'src',
    'lib',
    'out',
    'bin',
    'index',
    'main',
    'server',
    'mcp',
    'start',
    'run',
    'cli',
    '',
  ];
  const parts = path.split(/[\\/]/).map((part) => part.replace(/\.[a-z]+$/i, ''));
  return nameOf(parts.findLast((part) => !dull.includes(part.toLowerCase())) ?? parts.at(-1) ?? 'server');
}

const imageFlagsWithValue =
  /^(-[evpw]|--(env|env-file|volume|mount|name|network|publish|workdir|add-host|user|entrypoint))$/;

function keyOfImage(args: readonly string[]): string | undefined {
  const words = args.filter((arg) => arg !== 'run');
  const image = words.find((arg, index) => !arg.startsWith('-') && !imageFlagsWithValue.test(words[index - 1] ?? ''));
  return image === undefined ? undefined : nameOf(image.replace(/@sha256:.*$|:[^/:]*$/, ''));
}

/** `@scope/server-memory@1.2` is `memory`; where nothing is left, as of `@playwright/mcp`, the scope is the name. */
function nameOf(target: string): string {
  const [, scope = '', name = ''] = /^(?:.*?@?([^/@]+)\/)?([^/]+)$/.exec(target.replace(/(.)(@|==|\[).*$/, '$1')) ?? [];
  const plain = stripAffixes(name);
  return cleanKey(plain || stripAffixes(scope) || name || scope || target);
}

function stripAffixes(name: string): string {
  return name
    .replace(/\.(exe|cmd|bat|js|py)$/i, '')
    .replace(/^(mcp[-_]server|server|mcp)([-_]|$)/i, '')
    .replace(/(^|[-_])(mcp[-_]server|server[-_]mcp|mcp|server)$/i, '');
}

function baseName(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}
