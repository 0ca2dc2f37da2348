import { hasHalfCharacter, percentEncoded } from '../../base/halfCharacters';

/**
 * Resources of all servers behind one endpoint: `portico://<key>/` and the original, percent-encoded. In a template the
 * original stands as it is behind `=`, so that what its expressions expand to is the original's expansion (RFC 6570); so
 * does one with half of a character in it, which no encoding has.
 */
const scheme = 'portico://';
const verbatim = '=';

export function gatewayUri(key: string, uri: string): string {
  return `${scheme}${percentEncoded(key)}/${hasHalfCharacter(uri) ? `${verbatim}${uri}` : percentEncoded(uri)}`;
}

export function gatewayTemplate(key: string, template: string): string {
  return `${scheme}${percentEncoded(key)}/${verbatim}${template}`;
}

/** The server's key and the URI or template as that server has it; nothing where it is none of the gateway's. */
export function readGatewayUri(text: string): { readonly key: string; readonly uri: string } | undefined {
  const slash = text.indexOf('/', scheme.length);
  if (!text.startsWith(scheme) || slash < 0) {
    return undefined;
  }
  const rest = text.slice(slash + 1);
  const key = decoded(text.slice(scheme.length, slash));
  const uri = rest.startsWith(verbatim) ? rest.slice(verbatim.length) : decoded(rest);
  return key === undefined || uri === undefined || uri === '' ? undefined : { key, uri };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign that encodes nothing: no such address was ever given out.
    return undefined;
  }
}
