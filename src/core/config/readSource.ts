import type { Node } from 'jsonc-parser';
import { type ConfigText, nodeAt, parseConfigText, placeAt, propertiesOf, valueOf } from './configText';
import type { ConfigPlace, ConfigProblem, ConfigSource, InputDefinition, Launch } from './configTypes';
import type { EntryBounds } from './entryBounds';
import { type Container, findContainers } from './containers';
import { type EntryFault, readEntry } from './readEntry';
import { readInputs } from './readInputs';

/** An entry that can be used. */
export interface SourceEntry {
  readonly key: string;
  readonly source: ConfigSource;
  readonly launch: Launch;
  readonly disabled: boolean;
  readonly inputs: readonly InputDefinition[];
  readonly bounds: EntryBounds;
  readonly place?: ConfigPlace;
}

/** What one source holds. */
export interface SourceReading {
  readonly source: ConfigSource;
  readonly entries: readonly SourceEntry[];
  /** Keys that are taken though their entry is broken: no other scope's entry steps in for them. */
  readonly brokenKeys: readonly string[];
  readonly problems: readonly ConfigProblem[];
  /** The text as a whole could not be parsed; the entries are those that no fault touches. */
  readonly unparsable: boolean;
}

const NO_TEXT: ConfigText = { text: '', root: undefined, faults: [] };

/** Reads a config file's text. */
export function readConfigText(raw: string, source: ConfigSource): SourceReading {
  const parsed = parseConfigText(raw);
  if (parsed.text.trim() === '') {
    const message = `${source.label} is empty. Write {} or delete it.`;
    return { ...nothing(source), problems: [{ code: 'CONFIG_INVALID', message, source }], unparsable: true };
  }
  const found = findContainers(parsed.root, source.kind);
  const readings = found.containers.map((container) => readContainer(container, parsed, source));
  const own = [...syntaxProblems(parsed, source)];
  if (parsed.faults.length === 0 && found.wrong !== undefined) {
    own.push(problem(source, `${source.label} ${found.wrong.what}.`, parsed, found.wrong.node));
  }
  return merge(source, readings, own, parsed.faults.length > 0);
}

/** Reads the value of `portico.servers` at one scope; the file's text, where there is one, only tells places. */
export function readSettingsValue(value: unknown, source: ConfigSource, raw: string | undefined): SourceReading {
  const parsed = raw === undefined ? NO_TEXT : parseConfigText(raw);
  const node = findContainers(parsed.root, 'settings').containers[0]?.node;
  if (value === undefined || value === null) {
    return nothing(source);
  }
  if (typeof value !== 'object' || Array.isArray(value)) {
    const message = `"portico.servers" in ${source.label} is not an object: write {"name": {"command": …}}.`;
    return { ...nothing(source), problems: [problem(source, message, parsed, node)] };
  }
  const items = Object.entries(value).map(([key, item]) => ({
    key,
    value: item as unknown,
    node: nodeAt(node, [key]),
  }));
  return readItems(items, [], parsed, source);
}

function nothing(source: ConfigSource): SourceReading {
  return { source, entries: [], brokenKeys: [], problems: [], unparsable: false };
}

interface Item {
  readonly key: string;
  readonly value: unknown;
  /** The value's node. */
  readonly node: Node | undefined;
}

function readContainer(container: Container, parsed: ConfigText, source: ConfigSource): SourceReading {
  const last = new Map<string, Item>();
  const problems: ConfigProblem[] = [];
  for (const property of propertiesOf(container.node)) {
    const [name, node] = property.children ?? [];
    const key = String(name?.value);
    if (container.skip?.includes(key)) {
      continue;
    }
    if (last.has(key)) {
      const message = `Server "${short(key)}" stands twice in ${source.label}: the last one counts. Rename or remove one.`;
      problems.push({ ...problem(source, message, parsed, name), key });
    }
    // An entry that holds a syntax fault may be cut short anywhere: what is left of it is not to be run.
    if (node !== undefined && !parsed.faults.some((fault) => touches(fault.offset, node))) {
      last.set(key, { key, value: valueOf(node), node });
    }
  }
  const reading = readItems([...last.values()], readInputs(valueOf(container.inputs)), parsed, source);
  return { ...reading, problems: [...problems, ...reading.problems] };
}

function readItems(
  items: readonly Item[],
  inputs: readonly InputDefinition[],
  parsed: ConfigText,
  source: ConfigSource,
): SourceReading {
  const entries: SourceEntry[] = [];
  const brokenKeys: string[] = [];
  const problems: ConfigProblem[] = [];
  for (const { key, value, node } of items) {
    const reading = readEntry(value);
    const faults: readonly EntryFault[] =
      key.trim() === ''
        ? [{ what: 'has no name: write one between the quotes', path: [] }]
        : reading.kind === 'broken'
          ? reading.faults
          : [];
    for (const fault of faults) {
      const message = `Server "${short(key)}" in ${source.label} ${fault.what}.`;
      problems.push({ ...problem(source, message, parsed, nodeOfFault(node, fault)), key });
    }
    if (reading.kind === 'broken' || faults.length > 0) {
      brokenKeys.push(key);
      continue;
    }
    const name = node?.parent?.children?.[0];
    const place = placeOf(source, parsed, name);
    const own = reading.inputs.length > 0 ? reading.inputs : inputs;
    entries.push({
      key,
      source,
      launch: reading.launch,
      disabled: reading.disabled,
      inputs: usedInputs(reading.launch, own),
      bounds: reading.bounds,
      ...(place === undefined ? {} : { place }),
    });
  }
  return { source, entries, brokenKeys, problems, unparsable: false };
}

/** A file of several containers (settings of the editor): the first one that has a key wins. */
function merge(
  source: ConfigSource,
  readings: readonly SourceReading[],
  problems: readonly ConfigProblem[],
  unparsable: boolean,
): SourceReading {
  const entries = new Map<string, SourceEntry>();
  for (const entry of readings.flatMap((reading) => reading.entries)) {
    if (!entries.has(entry.key)) {
      entries.set(entry.key, entry);
    }
  }
  return {
    source,
    entries: [...entries.values()],
    brokenKeys: readings.flatMap((reading) => reading.brokenKeys),
    problems: [...problems, ...readings.flatMap((reading) => reading.problems)],
    unparsable,
  };
}

function* syntaxProblems(parsed: ConfigText, source: ConfigSource): Generator<ConfigProblem> {
  const first = parsed.faults[0];
  if (first !== undefined) {
    const { line } = placeAt(parsed.text, '', first);
    const message = `${source.label} cannot be read as JSON: ${first.what} (line ${line + 1}). Fix it there.`;
    yield problem(source, message, parsed, first);
  }
}

/** A fault at the key stands on the key, everything else on the value; without a node of its own, on the entry's name. */
function nodeOfFault(node: Node | undefined, fault: EntryFault): Node | undefined {
  const at = nodeAt(node, fault.path);
  const isKey = fault.what.startsWith('has the unknown key') || fault.path.length === 0;
  return isKey ? (at?.parent?.children?.[0] ?? at) : (at ?? node?.parent?.children?.[0]);
}

function problem(
  source: ConfigSource,
  message: string,
  parsed: ConfigText,
  at: { readonly offset: number; readonly length: number } | undefined,
): ConfigProblem {
  const place = placeOf(source, parsed, at);
  return { code: 'CONFIG_INVALID', message, source, ...(place === undefined ? {} : { place }) };
}

function placeOf(
  source: ConfigSource,
  parsed: ConfigText,
  at: { readonly offset: number; readonly length: number } | undefined,
): ConfigPlace | undefined {
  return source.file !== undefined && at !== undefined ? placeAt(parsed.text, source.file, at) : undefined;
}

function usedInputs(launch: Launch, inputs: readonly InputDefinition[]): readonly InputDefinition[] {
  const text = inputs.length === 0 ? '' : JSON.stringify(launch);
  return inputs.filter((input) => text.includes(JSON.stringify(`\${input:${input.id}}`).slice(1, -1)));
}

function touches(offset: number, node: Node): boolean {
  return offset >= node.offset && offset < node.offset + node.length;
}

function short(key: string): string {
  return key.length > 60 ? `${key.slice(0, 59)}…` : key;
}
