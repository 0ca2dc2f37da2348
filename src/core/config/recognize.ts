import type { Recognition } from './configTypes';
import { nothing, type Reading, recognized, servers, stdio } from './recognize/recognized';
import { recognizeCommand } from './recognize/recognizeCommand';
import { recognizeJson } from './recognize/recognizeJson';
import { recognizeLink } from './recognize/recognizeLink';

/**
 * Makes servers of whatever people paste into Add Server: a command line, an address, a package, an image, README
 * JSON, a line for another host's command line, an install link. Nothing is run, fetched or written.
 */
export function recognizeServer(text: string): Recognition {
  const trimmed = unwrap(text.trim());
  if (trimmed === '') {
    return { kind: 'nothing', reason: 'Paste a command line, address, package name, README JSON or install link.' };
  }
  const reading =
    recognizeLink(trimmed) ?? recognizeUrl(trimmed) ?? recognizeJson(trimmed) ?? recognizeCommand(trimmed);
  return reading ?? { kind: 'nothing', reason: 'This is neither a command line nor an address.' };
}

function recognizeUrl(pasted: string): Reading {
  const local = /^(?:localhost|\d+(?:\.\d+){3}|\[[\da-f:]+\]):\d+(?:\/\S*)?$/i.test(pasted);
  const text = local ? `http://${pasted}` : pasted;
  if (/^(?:javascript|vbscript|data|file|about|blob|mailto|command):/i.test(text)) {
    return nothing(`${/^\w+/.exec(text)?.[0] ?? ''}: is no address of a server: it begins with http:// or https://.`);
  }
  if (/\s/.test(text) || !/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) {
    return undefined;
  }
  if (!URL.canParse(text)) {
    return nothing('This address cannot be read.');
  }
  const { protocol, hostname, pathname } = new URL(text);
  if (protocol !== 'http:' && protocol !== 'https:') {
    return nothing(`${protocol}// is no address of a server: it begins with http:// or https://.`);
  }
  const page = `${hostname.replace(/^www\./, '')}${pathname}`;
  const npm = /^npmjs\.com\/package\/((?:@[^/]+\/)?[^/]+)/.exec(page)?.[1];
  if (npm !== undefined) {
    return servers(recognized(stdio('npx', ['-y', npm]), undefined));
  }
  const python = /^pypi\.org\/project\/([^/]+)/.exec(page)?.[1];
  if (python !== undefined) {
    return servers(recognized(stdio('uvx', [python]), undefined));
  }
  if (/^(github|gitlab)\.com\//.test(page)) {
    return nothing('This is a page about a server. Paste the command, JSON or install link that it gives.');
  }
  const type = /\/sse\/?$/.test(pathname) ? 'sse' : 'http';
  return servers(recognized({ type, url: text, headers: {} }, undefined));
}

/** The start of a fenced block: its language may be followed by the text itself where the line breaks are lost, as in an input box. */
const fence =
  /(?:```|~~~)(?:[\w-]*[^\S\n]*\n|(?:json[c5]?|bash|sh|shell|zsh|console|terminal|powershell|pwsh|cmd|bat|te?xt|plaintext)(?![\w-])(?:[^\n{]*\n)?)?([^]*?)(?:```|~~~)/i;

/** Takes a text out of the first fence around or in it, or out of its back quotes. */
function unwrap(text: string): string {
  return (fence.exec(text)?.[1] ?? /^`([^`\n]+)`$/.exec(text)?.[1] ?? text).trim();
}
