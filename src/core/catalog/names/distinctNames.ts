import { createHash } from 'node:crypto';

/** How the names of one server are made fit for a reader that allows less than MCP does. */
export interface NameRule {
  /** Longest result, in characters. */
  readonly limit: number;
  /** The readable form of a name; may be longer than `limit`, and may be the same for two names. */
  readonly form: (name: string) => string;
  /** Two results with one folded form count as the same. */
  readonly fold: (form: string) => string;
  /** True where the readable form says the name in full, so that it has the first right to it. */
  readonly exact: (name: string, form: string) => boolean;
  /** True where this form may belong to somebody else, whatever this server lists. */
  readonly taken?: (form: string) => boolean;
  /** Shortens a form to `length` characters before the hash is added. */
  readonly cut?: (name: string, length: number) => string;
  /** What the hash is derived from; distinct over all servers. */
  readonly salt: string;
}

const hashed = /-[0-9a-f]{8}$/i;

/**
 * Gives each name its own form. The answer depends on the set of names alone, never on their order: a name that needs no change
 * keeps its form, and a hash of the original is added where a form is too long, is taken, is that of another name too, or
 * looks as if it had a hash already.
 */
export function distinctNames(names: Iterable<string>, rule: NameRule): ReadonlyMap<string, string> {
  const result = new Map<string, string>();
  const unfit = new Set<string>();
  for (const name of names) {
    if (!result.has(name)) {
      const form = rule.form(name);
      result.set(name, form);
      if (!fits(form, rule)) {
        unfit.add(name);
      }
    }
  }
  for (const group of clashes(result.keys())) {
    const owner = ownerOf(group, rule);
    group.filter((name) => name !== owner).forEach((name) => unfit.add(name));
  }
  for (const name of unfit) {
    result.set(name, withHash(name, rule, 8));
  }
  for (const twins of clashes(unfit)) {
    twins.forEach((name) => result.set(name, withHash(name, rule, 32)));
  }
  return result;

  /** Those whose results count as the same; most have one of their own, so nothing is kept for them. */
  function clashes(some: Iterable<string>): Iterable<readonly string[]> {
    const firsts = new Map<string, string>();
    const groups = new Map<string, string[]>();
    for (const name of some) {
      const folded = rule.fold(result.get(name) ?? '');
      const first = firsts.get(folded);
      if (first === undefined) {
        firsts.set(folded, name);
      } else {
        const group = groups.get(folded) ?? [first];
        group.push(name);
        groups.set(folded, group);
      }
    }
    return groups.values();
  }
}

/** Who keeps the plain form: the only claimant, else the only exact one, else the exact one in lower case. */
function ownerOf(group: readonly string[], rule: NameRule): string | undefined {
  if (group.length === 1) {
    return group[0];
  }
  const exact = group.filter((name) => rule.exact(name, rule.form(name)));
  return exact.length === 1 ? exact[0] : exact.find((name) => name === name.toLowerCase());
}

function fits(form: string, rule: NameRule): boolean {
  return form.length > 0 && form.length <= rule.limit && !hashed.test(form) && !rule.taken?.(form);
}

function withHash(name: string, rule: NameRule, digits: number): string {
  const length = rule.limit - digits - 1;
  const stem = rule.cut ? rule.cut(name, length) : rule.form(name).slice(0, length);
  return `${stem}-${nameHash(`${rule.salt}\0${name}`, digits)}`;
}

/** The first `digits` hexadecimal digits of the text's SHA-256. */
export function nameHash(text: string, digits: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, digits);
}
