import { isIP } from 'node:net';
import { domainToUnicode } from 'node:url';

/** A web page's address that somebody else named. `url` is what a browser is given, and what is shown of it. */
export interface WebAddress {
  readonly url: string;
  /** The host with its port; `before` and `after` are what stands around it in `url`. */
  readonly host: string;
  readonly before: string;
  readonly after: string;
  /** What a person should know before they go there, in sentences. */
  readonly warnings: readonly string[];
}

const longest = 8_000;
const unseen = /[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** Reads an address that may be opened: https, or http on this computer. Otherwise says in half a sentence why not. */
export function readWebAddress(text: unknown): WebAddress | { readonly refused: string } {
  if (typeof text !== 'string' || text === '') {
    return { refused: 'there is none' };
  }
  if (text.length > longest) {
    return { refused: `it is longer than ${longest} characters` };
  }
  if (unseen.test(text)) {
    return { refused: 'it has a space, a line break or an invisible character in it' };
  }
  if (!URL.canParse(text)) {
    return { refused: text.startsWith('-') ? 'it looks like an option of a command' : 'it is no whole web address' };
  }
  const parsed = new URL(text);
  const { protocol, host, hostname, href } = parsed;
  if (protocol !== 'https:' && protocol !== 'http:') {
    return { refused: `it begins with "${protocol.slice(0, 40)}", and only https may be opened` };
  }
  const local = isLoopback(hostname);
  if (protocol === 'http:' && !local) {
    return { refused: `${host} would be reached by http, without encryption; only https may be opened` };
  }
  // An “@” of the user's name or password is encoded there.
  const start = parsed.username + parsed.password === '' ? protocol.length + 2 : href.indexOf('@') + 1;
  return {
    url: href,
    host,
    before: href.slice(0, start),
    after: href.slice(start + host.length),
    warnings: warningsOf(parsed, local),
  };
}

/** Whether a host, an IPv6 address with or without its brackets, is this computer. */
export function isLoopback(host: string): boolean {
  return /^\[?::1\]?$/.test(host) || /(^|\.)localhost\.?$/i.test(host) || (isIP(host) === 4 && host.startsWith('127.'));
}

function warningsOf({ hostname, host, port, username, password }: URL, local: boolean): readonly string[] {
  const warnings: string[] = [];
  if (hostname.split('.').some((label) => label.startsWith('xn--'))) {
    warnings.push(
      `The host has letters that can pass for others: it reads “${domainToUnicode(hostname)}”, but is ${hostname}.`,
    );
  }
  if (username !== '' || password !== '') {
    warnings.push(`What stands before “@” is a user name and can pass for a host. The page is at ${host}.`);
  }
  if (local) {
    warnings.push('The page is on this computer, not on the web.');
  } else {
    if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) {
      warnings.push('The host is a number instead of a name: nothing tells whose it is.');
    }
    if (port !== '') {
      warnings.push(`It uses port ${port}, which is unusual.`);
    }
  }
  return warnings;
}
