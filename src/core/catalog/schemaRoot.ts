import { isObject, type JsonObject } from '../../base/jsonObject';
import { resolvePointer } from '../../base/schemaWalk';

const maxBranch = 300;
const maxLinks = 20;
const maxLevels = 4;

/** Follows the references of one level; what stands beside a reference wins over its target. */
export function withoutRef(root: JsonObject, schema: JsonObject): JsonObject {
  let current = schema;
  for (let link = 0; link < maxLinks && typeof current['$ref'] === 'string'; link += 1) {
    const { $ref, ...beside } = current;
    const target = resolvePointer(root, $ref as string);
    current = isObject(target) ? { ...target, ...beside } : beside;
  }
  return current;
}

/**
 * Takes the combinators off a schema's root, which models' APIs refuse there. What they add to the arguments becomes
 * properties; what they demand becomes a sentence.
 */
export function liftCombinators(
  original: JsonObject,
  schema: JsonObject = original,
  depth = 0,
): {
  readonly root: JsonObject;
  readonly notes: readonly string[];
} {
  const notes: string[] = [];
  const {
    allOf,
    anyOf,
    oneOf,
    not,
    if: condition,
    then: consequence,
    else: alternative,
    dependentRequired,
    ...plain
  } = withoutRef(original, schema);
  const properties = new Map(entriesOf(plain['properties']));
  const required = new Set(namesOf(plain['required']));
  const adopt = (branch: JsonObject) => {
    for (const [name, value] of entriesOf(branch['properties'])) {
      // What the root says of a property holds in every branch; the first branch that says more is taken otherwise.
      if (!properties.has(name) || properties.get(name) === true) {
        properties.set(name, value);
      }
    }
  };
  const branches = (value: unknown) =>
    (Array.isArray(value) ? value : []).filter(isObject).map((branch) => withoutRef(original, branch));

  // A schema that is a part of itself says nothing new further down.
  for (const branch of depth < maxLevels ? branches(allOf) : []) {
    const inner = liftCombinators(original, branch, depth + 1);
    adopt(inner.root);
    namesOf(inner.root['required']).forEach((name) => required.add(name));
    notes.push(...inner.notes);
  }
  for (const [value, lead] of [
    [anyOf, 'At least one of these must hold'],
    [oneOf, 'Exactly one of these must hold'],
  ] as const) {
    const choices = branches(value);
    choices.forEach(adopt);
    if (choices.length > 0) {
      notes.push(`${lead}: ${choices.slice(0, 10).map(describe).join('; or ')}.`);
    }
  }
  if (not !== undefined) {
    notes.push(`The arguments must not match ${brief(not)}.`);
  }
  if (condition !== undefined) {
    for (const branch of branches([consequence, alternative])) {
      adopt(branch);
    }
    const otherwise = alternative === undefined ? '' : `, otherwise ${brief(alternative)}`;
    notes.push(
      `If the arguments match ${brief(condition)}, they must match ${brief(consequence ?? true)}${otherwise}.`,
    );
  }
  for (const [name, needs] of entriesOf(dependentRequired)) {
    notes.push(`With ${name}, also give ${namesOf(needs).join(', ')}.`);
  }
  return {
    root: { ...plain, properties: Object.fromEntries(properties), required: [...required] },
    notes,
  };
}

function describe(branch: JsonObject): string {
  const extra = Object.keys(branch).filter(
    (keyword) => !['required', 'type', 'title', 'description'].includes(keyword),
  );
  const required = namesOf(branch['required']);
  if (required.length > 0 && extra.every((keyword) => keyword === 'properties' || keyword === 'additionalProperties')) {
    return `${required.join(' and ').slice(0, maxBranch)} given`;
  }
  return brief(branch);
}

function brief(schema: unknown): string {
  const text = JSON.stringify(schema);
  return text.length > maxBranch ? `${text.slice(0, maxBranch)}…` : text;
}

function entriesOf(value: unknown): [string, unknown][] {
  return isObject(value) ? Object.entries(value) : [];
}

function namesOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
}
