import { BlockList, isIP } from 'node:net';
import { isLoopback } from '../../../base/webAddress';
import type { NetworkSettings } from './networkTypes';

type Environment = Readonly<Record<string, string | undefined>>;

/** The proxy to reach an address by, as it was written; nothing where it is reached directly. Loopback never goes by one. */
export function proxyFor(url: URL, settings: NetworkSettings, environment: Environment): string | undefined {
  const either = (name: string): string | undefined => environment[name.toLowerCase()] || environment[name];
  if (!settings.useProxy || isLoopback(hostOf(url))) {
    return undefined;
  }
  const proxy =
    settings.proxy.trim() || either(url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY') || either('ALL_PROXY');
  const exceptions = [...settings.noProxy, ...(either('NO_PROXY') ?? '').split(/[\s,]+/)];
  return proxy && !exceptions.some((exception) => isExcepted(url, exception.trim())) ? proxy : undefined;
}

/** The host without the brackets of an IPv6 address. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

/** `host`, `.domain`, `*.domain`, any of them with a port, `*`, an address or a range of them (`10.0.0.0/8`). */
function isExcepted(url: URL, exception: string): boolean {
  if (exception === '' || exception === '*') {
    return exception === '*';
  }
  const host = hostOf(url).toLowerCase();
  const [, range, bits] = /^([\d.]+|[\da-f:]+)\/(\d+)$/i.exec(exception) ?? [];
  if (range !== undefined) {
    return isInRange(host, range, Number(bits));
  }
  const [, bare = exception, port] = isIP(exception) ? [] : (/^(.*?)(?::(\d+))?$/.exec(exception) ?? []);
  if (port !== undefined && port !== (url.port || (url.protocol === 'https:' ? '443' : '80'))) {
    return false;
  }
  const name = bare
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/^\*?\./, '');
  return host === name || (isIP(host) === 0 && host.endsWith(`.${name}`));
}

function isInRange(host: string, range: string, bits: number): boolean {
  const family = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');
  if (isIP(host) === 0 || isIP(range) === 0 || bits > (family(range) === 'ipv6' ? 128 : 32)) {
    return false;
  }
  const list = new BlockList();
  list.addSubnet(range, bits, family(range));
  return list.check(host, family(host));
}
