import type { Launch } from './configTypes';

export interface OwnAddresses {
  /** Executables of this Portico: the bridge's bundle, links to it. */
  readonly paths?: readonly string[];
  /** Addresses that this Portico listens at: `http://127.0.0.1:PORT`, `unix:///path/to.sock`. */
  readonly urls?: readonly string[];
}

/** Whether an entry leads back to Portico: to its bridge, of whatever version, or to an address of its own. */
export function leadsToPortico(launch: Launch, own: OwnAddresses): boolean {
  if (launch.type === 'stdio') {
    const paths = (own.paths ?? []).map(plainPath);
    return [launch.command, ...launch.args].some((word) => isBridge(word) || paths.includes(plainPath(word)));
  }
  const address = addressOf(launch.url);
  return address !== undefined && (isOwnSocket(address) || (own.urls ?? []).some((url) => addressOf(url) === address));
}

const bridgePackage = /^(@portico-mcp\/(portico-)?bridge|portico-bridge)(@[^/]*)?$/;
const bridgeFile = /(^|\/)portico-bridge(\.[a-z]+)?$/;
/** The bridge inside an installed extension. */
const installedBridge = /\/portico-mcp\.portico(-[^/]*)?\/.*bridge\.[cm]?js$/;

function isBridge(word: string): boolean {
  const path = plainPath(word);
  return bridgePackage.test(path) || bridgeFile.test(path) || installedBridge.test(path);
}

/** Slashes and case as Windows and macOS compare them; a false match needs two programs whose paths differ in case only. */
function plainPath(path: string): string {
  return path.replaceAll('\\', '/').toLowerCase();
}

/** Host and port, or the socket's path; every name of the loopback is the same. */
function addressOf(url: string): string | undefined {
  if (!URL.canParse(url)) {
    return undefined;
  }
  const { protocol, hostname, port, pathname } = new URL(url);
  if (protocol === 'unix:' || protocol === 'pipe:') {
    return `socket:${pathname}`;
  }
  const host = ['localhost', '[::1]', '0.0.0.0', '[::]'].includes(hostname) ? '127.0.0.1' : hostname;
  return `${host}:${port === '' ? (protocol === 'https:' ? '443' : '80') : port}`;
}

function isOwnSocket(address: string): boolean {
  return address.startsWith('socket:') && /(^|[/\\.-])portico[^/\\]*([/\\][^/\\]*)?$/i.test(address.slice(7));
}
