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
  const groups = new Map<string, string[]>();
  const forms = new Map<string, string>();
  for (const name of names) {
    if (forms.has(name)) {
      continue;
    }
    const form = rule.form(name);
    forms.set(name, form);
    const folded = rule.fold(form);
    const group = groups.get(folded);
    if (group) {
      group.push(name);
    } else {
      groups.set(folded, [name]);
    }
  }
  const result = new Map<string, string>();
  const byHash = new Map<string, string[]>();
  for (const group of groups.values()) {
    const owner = ownerOf(group, rule);
    for (const name of group) {
      const form = forms.get(name) ?? '';
      if (name === owner && fits(form, rule)) {
        result.set(name, form);
      } else {
        const short = withHash(name, rule, 8);
        const folded = rule.fold(short);
        byHash.set(folded, [...(byHash.get(folded) ?? []), name]);
        result.set(name, short);
      }
    }
  }
  for (const twins of byHash.values()) {
    if (twins.length > 1) {
      twins.forEach((name) => result.set(name, withHash(name, rule, 32)));
    }
  }
  return result;
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
