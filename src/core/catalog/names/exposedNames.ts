import { distinctNames } from './distinctNames';

/**
 * What the names of one server depend on besides its own tools: the configured keys and ids, which are all known before the
 * first list comes. Equal contexts compare equal as strings.
 */
export interface NameContext {
  /** Other keys that begin with this one and `_`: what starts with them is theirs. In lower case, sorted. */
  readonly rivals: readonly string[];
  /** True where another server has this key (ignoring case and changed characters) and the better right to it. */
  readonly twin: boolean;
}

const limit = 48;
/** What a long key is cut to when the tool's name needs the room: a model reads the tool's name first. */
const shortKey = 12;

/** Turns what models' APIs refuse into `_`. */
export function mangle(text: string): string {
  return text.replace(/[^A-Za-z0-9_-]/g, '_');
}

/** The context of every server, by id. */
export function nameContexts(
  servers: readonly { readonly id: string; readonly key: string }[],
): ReadonlyMap<string, NameContext> {
  const claims = new Map<string, { id: string; key: string }[]>();
  for (const { id, key } of servers) {
    const folded = mangle(key).toLowerCase();
    claims.set(folded, [...(claims.get(folded) ?? []), { id, key }]);
  }
  const keys = [...claims.keys()].sort();
  const contexts = new Map<string, NameContext>();
  for (const [folded, claimants] of claims) {
    const beginning = `${folded}_`;
    const rivals = keys.filter((other) => other.startsWith(beginning));
    for (const { id, key } of claimants) {
      // The entry that is known by its bare key, written plainly, keeps the plain names.
      const twin = claimants.length > 1 && !(id === key && key === folded);
      contexts.set(id, { rivals, twin });
    }
  }
  return contexts;
}

/** Whether a name that is exposed can be that of a tool of the server with this key: however short, it begins with the key. */
export function mayExpose(key: string, name: string): boolean {
  return name.startsWith(mangle(key.slice(0, shortKey)));
}

/**
 * `<key>_<tool>` for every tool of one server: `^[A-Za-z0-9_-]{1,48}$`, distinct over all servers without regard to case. Between
 * servers the keys alone decide (the longer key owns what starts with it), within a server its set of tools; so a name is the
 * same after a restart and in whatever order lists come.
 */
export function exposedNames(
  server: { readonly id: string; readonly key: string },
  tools: Iterable<string>,
  context: NameContext,
): ReadonlyMap<string, string> {
  const key = mangle(server.key);
  return distinctNames(tools, {
    limit,
    salt: server.id,
    form: (tool) => `${key}_${mangle(tool)}`,
    fold: (form) => form.toLowerCase(),
    exact: (tool) => tool === mangle(tool),
    taken: (form) =>
      context.twin ||
      (context.rivals.length > 0 && context.rivals.some((rival) => form.toLowerCase().startsWith(`${rival}_`))),
    cut: (tool, length) => {
      const room = Math.max(shortKey, length - 1 - tool.length);
      return `${key.slice(0, room)}_${mangle(tool)}`.slice(0, length);
    },
  });
}
