import type { Launch, StdioLaunch } from './configTypes';

export interface OwnAddresses {
  /** Programs of this Portico: the bridge's bundle. */
  readonly paths: readonly string[];
  /** Where Portico keeps the launcher of the bridge, beside `.portico` in a person's home: PORTICO_HOME. */
  readonly home?: string | undefined;
  /** Addresses that this Portico listens at: `http://127.0.0.1:PORT`. */
  readonly urls: readonly string[];
}

/**
 * Whether an entry leads back to Portico: to a bridge of whatever version, to an address of this window, or to what is
 * an address of another one by its looks.
 */
export function leadsToPortico(launch: Launch, own: OwnAddresses): boolean {
  if (launch.type === 'stdio') {
    const words = [launch.command, ...launch.args];
    const programs = [...own.paths, ...launchers(own, launch)].map(plainPath);
    return words.some(
      (word) => isBridge(word) || programs.includes(plainPath(word)) || leadsToWindow(word, words, own),
    );
  }
  return leadsToWindow(launch.url, Object.values(launch.headers), own);
}

const bridgePackage = /^(@portico-mcp\/(portico-)?bridge|portico-bridge)(@[^/]*)?$/;
const bridgeFile = /(^|\/)portico-bridge(\.[a-z]+)?$/;
/** The bridge inside an installed extension. */
const installedBridge = /\/portico-mcp\.portico(-[^/]*)?\/.*bridge\.[cm]?js$/;
/** The launcher that agents' configurations name, in anybody's home; also as a word of a shell's command line. */
const launcher =
  /(^|[/\s'"=])(\.portico|\$\{env:portico_home\}|\$\{?portico_home\}?|%portico_home%)\/bridge\.mjs($|[\s'"])/;
/** Of a token that Portico has made: 256 random bits. */
const ownToken = /\bbearer\s+[\w-]{43}$/i;

function isBridge(word: string): boolean {
  const path = plainPath(word);
  return [bridgePackage, bridgeFile, installedBridge, launcher].some((form) => form.test(path));
}

/** The launchers in homes of other names. */
function launchers({ home }: OwnAddresses, { env }: StdioLaunch): readonly string[] {
  return [home, env['PORTICO_HOME']].flatMap((folder) =>
    folder ? [`${folder.replace(/[\\/]+$/, '')}/bridge.mjs`] : [],
  );
}

/** `beside`: what goes with the URL, header values or the other words of a command. */
function leadsToWindow(url: string, beside: readonly string[], { urls }: OwnAddresses): boolean {
  const target = targetOf(url);
  if (target === undefined) {
    return false;
  }
  const { address, path } = target;
  const looksOwn =
    address.startsWith('127.0.0.1:') &&
    /^\/(editor|gateway)\/?$/.test(path) &&
    beside.some((text) => ownToken.test(text));
  return looksOwn || isOwnSocket(address) || urls.some((own) => targetOf(own)?.address === address);
}

/** Slashes and case as Windows and macOS compare them; a false match needs two programs whose paths differ in case only. */
function plainPath(path: string): string {
  return path.replaceAll('\\', '/').toLowerCase();
}

/** Host and port, or the socket's path, with the path of the request; every name of the loopback is the same. */
function targetOf(url: string): { readonly address: string; readonly path: string } | undefined {
  if (!URL.canParse(url)) {
    return undefined;
  }
  const { protocol, hostname, port, pathname } = new URL(url);
  if (protocol === 'unix:' || protocol === 'pipe:') {
    return { address: `socket:${pathname}`, path: '' };
  }
  if (protocol !== 'http:' && protocol !== 'https:') {
    return undefined;
  }
  const host = isLoopback(hostname) ? '127.0.0.1' : hostname;
  return { address: `${host}:${port === '' ? (protocol === 'https:' ? '443' : '80') : port}`, path: pathname };
}

/** Names and addresses of this machine as they are in a URL that was parsed. */
function isLoopback(hostname: string): boolean {
  return (
    ['localhost', '[::1]', '0.0.0.0', '[::]'].includes(hostname) ||
    /^(127\.|\[::ffff:7f)/.test(hostname) ||
    hostname.endsWith('.localhost') ||
    hostname === 'localhost.'
  );
}

function isOwnSocket(address: string): boolean {
  return address.startsWith('socket:') && /(^|[/\\.-])portico[^/\\]*([/\\][^/\\]*)?$/i.test(address.slice(7));
}
