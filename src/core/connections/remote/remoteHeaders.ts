import { validateHeaderName, validateHeaderValue } from 'node:http';
import { PorticoError } from '../../../base/errors';

/** Framing belongs to HTTP itself; a wrong one would let a config entry smuggle a second request. */
const OWNED = new Set(['connection', 'content-length', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade']);

/** Rejects the header names and values that cannot be sent as they are, line breaks above all; values are never named. */
export function checkHeaders(headers: Readonly<Record<string, string>>, server: string): void {
  for (const [name, value] of Object.entries(headers)) {
    const problem = OWNED.has(name.toLowerCase()) ? 'is set by Portico itself' : whatIsWrong(name, value);
    if (problem !== undefined) {
      throw new PorticoError(
        'CONFIG_INVALID',
        `Server "${server}": the header ${JSON.stringify(name)} ${problem}. Correct "headers" in its entry.`,
        { server },
      );
    }
  }
}

function whatIsWrong(name: string, value: string): string | undefined {
  try {
    validateHeaderName(name);
  } catch {
    return 'has characters in its name that HTTP does not allow';
  }
  try {
    validateHeaderValue(name, value);
  } catch {
    return 'has a line break or another character in its value that HTTP does not allow';
  }
  return undefined;
}

/** An http or https URL without a fragment. */
export function checkUrl(text: string, server: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new PorticoError('CONFIG_INVALID', `Server "${server}": its "url" is not an http or https address.`, {
      server,
    });
  }
  url.hash = '';
  return url;
}
