/** What models' APIs take as the name of a tool. */
const good = /^[A-Za-z0-9_-]{1,64}$/;

/** The names of tools as models get them: each its own; what can stay as it is stays. */
export function toolNames(names: Iterable<string>): ReadonlyMap<string, string> {
  const all = new Set(names);
  const taken = new Set([...all].filter((name) => good.test(name)));
  const made = new Map([...taken].map((name) => [name, name]));
  for (const name of all) {
    if (!made.has(name)) {
      const base = name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 56) || 'tool';
      let unique = base;
      for (let count = 2; taken.has(unique); count += 1) {
        unique = `${base}_${count}`;
      }
      taken.add(unique);
      made.set(name, unique);
    }
  }
  return made;
}
