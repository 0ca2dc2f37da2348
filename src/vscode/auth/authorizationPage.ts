import { PorticoError } from '../../base/errors';
import { shownUrl } from '../../base/shownUrl';
import { isLoopback, readWebAddress, type WebAddress } from '../../base/webAddress';
import type { ServerDefinition } from '../../core/config/configTypes';
import { plainLine, writtenOut } from '../interop/text';

/** The question before a browser is opened. */
export interface PageQuestion {
  readonly message: string;
  readonly detail: string;
}

/** The address of the authorization server's page, checked. Throws AUTH_FAILED for one that must not be opened. */
export function authorizationPage(server: ServerDefinition, url: string): WebAddress {
  const address = readWebAddress(url);
  if ('refused' in address) {
    throw new PorticoError(
      'AUTH_FAILED',
      `${server.key}: the address of the sign-in page is not opened, because ${address.refused}. Diagnose Sign-In shows where it comes from.`,
      { server: server.key },
    );
  }
  return address;
}

/** Which server, which page on which host, where the browser comes back to, and what to be wary of. */
export function pageQuestion(server: ServerDefinition, page: WebAddress, redirectUrl: string): PageQuestion {
  const lines = [
    `Your browser opens a page of ${page.host}. What you type there stays there; Portico gets the permission that it grants.`,
    ...page.warnings,
    ...serverWarnings(server),
    '',
    `Page: ${writtenOut(page.url.split('?')[0] ?? page.url)}`,
    `Server: ${plainLine(shownUrl(serverAddress(server)), 300)}`,
    `Comes back to: ${writtenOut(redirectUrl.split('?')[0] ?? redirectUrl)}`,
  ];
  return {
    message: `Sign in to "${plainLine(server.key, 80)}" at ${page.host}?`,
    detail: lines.join('\n'),
  };
}

function serverAddress({ launch }: ServerDefinition): string {
  return launch.type === 'stdio' ? '' : launch.url;
}

/** The token goes to the server with each request, so that the way there matters as much as the page. */
function serverWarnings(server: ServerDefinition): readonly string[] {
  const text = serverAddress(server);
  if (!URL.canParse(text)) {
    return [];
  }
  const { protocol, hostname } = new URL(text);
  return protocol === 'http:' && !isLoopback(hostname)
    ? ['The server is reached by http: everybody on the way can read what it is sent, your sign-in included.']
    : [];
}
