import type { ConfigSnapshot, Launch, ServerDefinition } from './configTypes';
import { canonicalJson } from '../../base/canonicalJson';
import { consentDigestOf, digest } from './digests';
import type { SourceEntry, SourceReading } from './readSource';

/**
 * Makes definitions of all that was read, in config order. A definition that says the same as before is the same object.
 *
 * Ids: an entry of `portico.servers` has its key alone, and so has any entry whose key no other has; where a key is
 * used twice, every entry from elsewhere is `key@source`. So an id never passes to another entry because of the order
 * in which files are found.
 */
export function buildSnapshot(
  readings: readonly SourceReading[],
  expanded: (launch: Launch) => Launch,
  isSelf: (launch: Launch) => boolean,
  previous: ConfigSnapshot,
): ConfigSnapshot {
  const entries = winners(readings).map((entry) => ({ ...entry, launch: expanded(entry.launch) }));
  const ids = assignIds(entries);
  const known = new Map(previous.definitions.map((definition) => [definition.id, definition]));
  const commandOf = new Map(entries.map((entry) => [entry, commandText(entry.launch)]));
  const commands = groupBy(entries, (entry) => commandOf.get(entry));
  const definitions = entries.map((entry): ServerDefinition => {
    const { key, source, launch, disabled, inputs, bounds, place } = entry;
    const id = ids.get(entry) ?? key;
    const twin = (commands.get(commandOf.get(entry)) ?? []).find((other) => other !== entry);
    let consent: string | undefined;
    const definition: ServerDefinition = {
      id,
      key,
      source,
      owner: source.kind === 'settings' || source.kind === 'file' ? 'portico' : 'editor',
      launch,
      disabled,
      self: isSelf(launch),
      inputs,
      // Made when it is asked for: of most servers there is nothing to agree to.
      get consentDigest() {
        return (consent ??= consentDigestOf(launch));
      },
      // The folder counts: it is the default working directory.
      launchDigest: digest({ id, key, launch, folder: source.folder?.uri }),
      ...bounds,
      ...(place === undefined ? {} : { place }),
      ...(twin === undefined ? {} : { twin: twinSentence(twin) }),
    };
    const before = known.get(id);
    return before !== undefined && canonicalJson(before) === canonicalJson(definition) ? before : definition;
  });
  return { definitions, problems: readings.flatMap((reading) => reading.problems) };
}

/** Within `portico.servers` folder beats workspace beats user, a broken entry included: nothing else steps in for it. */
function winners(readings: readonly SourceReading[]): readonly SourceEntry[] {
  const taken = new Map<string, string>();
  return readings.flatMap(({ source, entries, brokenKeys }) => {
    if (source.kind !== 'settings') {
      return entries;
    }
    const own = entries.filter(({ key }) => (taken.get(key) ?? source.scope) === source.scope);
    for (const key of [...entries.map((entry) => entry.key), ...brokenKeys]) {
      taken.set(key, taken.get(key) ?? source.scope);
    }
    return own;
  });
}

function assignIds(entries: readonly SourceEntry[]): ReadonlyMap<SourceEntry, string> {
  const ids = new Map<SourceEntry, string>();
  const used = new Set<string>();
  const suffixed: SourceEntry[] = [];
  for (const [key, sharers] of groupBy(entries, (entry) => entry.key)) {
    const fromSettings = sharers.filter(({ source }) => source.kind === 'settings');
    const plain = sharers.length === 1 ? sharers[0] : fromSettings.length === 1 ? fromSettings[0] : undefined;
    for (const entry of sharers) {
      if (entry === plain) {
        ids.set(entry, key);
        used.add(key);
      } else {
        suffixed.push(entry);
      }
    }
  }
  for (const entry of suffixed.sort((a, b) => (a.source.id < b.source.id ? -1 : 1))) {
    let id = `${entry.key}@${entry.source.id}`;
    // Somebody may have called a server "fs@.mcp.json".
    while (used.has(id)) {
      id += '+';
    }
    ids.set(entry, id);
    used.add(id);
  }
  return ids;
}

function commandText(launch: Launch): string {
  return JSON.stringify(launch.type === 'stdio' ? [launch.command, launch.args] : launch.url);
}

function twinSentence({ key, source, place }: SourceEntry): string {
  return `Same command as \`${key}\` in ${source.label}${place === undefined ? '' : ` (line ${place.line + 1})`}.`;
}

function groupBy<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key) ?? [];
    group.push(item);
    groups.set(key, group);
  }
  return groups;
}
