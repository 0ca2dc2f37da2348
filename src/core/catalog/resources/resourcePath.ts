/** Deeper levels are not cut: they stay in the last segment. */
const MAX_FOLDERS = 24;
/** Labels are for people; a `data:` URI may be megabytes long. */
const MAX_LABEL = 500;

/** Where a URI is cut: positions in it, so that every part is the server's own text. */
export interface ResourcePath {
  /** The ends of the folders that it stands in, the outermost first; none where the URI has no path. */
  readonly folders: readonly number[];
  /** Whether the outermost is scheme and authority. */
  readonly hasOrigin: boolean;
  /** Where the last segment starts. Trailing slash, query and fragment belong to it. */
  readonly leaf: number;
}

/** Cuts a URI that is an opaque string to us: whatever it holds, nothing is resolved, decoded or put in order. */
export function cutUri(uri: string): ResourcePath {
  const origin = originEnd(uri);
  const start = uri.startsWith('/', origin) && origin > 0 ? origin + 1 : origin;
  const path = endOfPath(uri, origin);
  if (start >= path) {
    return { folders: [], hasOrigin: false, leaf: uri.length };
  }
  const folders = origin > 0 ? [origin] : [];
  // A slash at the very start or end separates nothing.
  let leaf = start;
  let slash = uri.indexOf('/', origin > 0 ? start : 1);
  while (slash >= 0 && slash < path - 1 && folders.length < MAX_FOLDERS) {
    folders.push(slash);
    leaf = slash + 1;
    slash = uri.indexOf('/', leaf);
  }
  return { folders, hasOrigin: origin > 0, leaf };
}

/** The end of `scheme://authority` or `scheme:`; 0 where there is no scheme. */
function originEnd(uri: string): number {
  const scheme = /^[A-Za-z][A-Za-z0-9+.-]*:/.exec(uri)?.[0].length ?? 0;
  if (scheme === 0 || !uri.startsWith('//', scheme)) {
    return scheme;
  }
  const authority = uri.slice(scheme + 2).search(/[/?#]/);
  return authority < 0 ? uri.length : scheme + 2 + authority;
}

function endOfPath(uri: string, from: number): number {
  const end = uri.slice(from).search(/[?#]/);
  return end < 0 ? uri.length : from + end;
}

/** A part of a URI for people: percent triplets decoded where they are UTF-8. A slash stays one, or it would read as a level. */
export function toLabel(part: string): string {
  const text = part.slice(0, MAX_LABEL);
  return text.includes('%') ? text.replace(/(?:%(?!2[Ff])[0-9A-Fa-f]{2})+/g, decoded) : text;
}

function decoded(triplets: string): string {
  const text = Buffer.from(triplets.replaceAll('%', ''), 'hex').toString();
  return text.includes('\ufffd') ? triplets : text;
}
