import { isObject, type JsonObject } from '../../base/jsonObject';

const maxSteps = 32;

/** Follows `$ref`s inside the document; one that leads nowhere, outside, or in a circle gives `{}`: any JSON value. */
export function resolveSchema(schema: unknown, root: JsonObject): unknown {
  let current = schema;
  for (let step = 0; step < maxSteps; step += 1) {
    if (!isObject(current) || typeof current['$ref'] !== 'string') {
      return current;
    }
    current = pointed(root, current['$ref']);
  }
  return {};
}

/** A schema without its null branch (`type: [X, "null"]`, `anyOf: [X, {type: null}]`), and whether there was one. */
export function nullable(schema: unknown, root: JsonObject): { readonly schema: unknown; readonly canBeNull: boolean } {
  if (!isObject(schema)) {
    return { schema, canBeNull: false };
  }
  const { type } = schema;
  if (Array.isArray(type)) {
    const others: readonly unknown[] = type.filter((name) => name !== 'null');
    const canBeNull = others.length < type.length;
    return { schema: others.length === 1 ? { ...schema, type: others[0] } : { ...schema, type: undefined }, canBeNull };
  }
  for (const key of ['anyOf', 'oneOf', 'allOf'] as const) {
    const branches: unknown = schema[key];
    if (!Array.isArray(branches)) {
      continue;
    }
    const resolved = branches.map((branch) => resolveSchema(branch, root));
    const others = resolved.filter((branch) => !(isObject(branch) && branch['type'] === 'null'));
    if (others.length === 1 && isObject(others[0])) {
      const { [key]: _branches, ...rest } = schema;
      return { schema: { ...others[0], ...rest }, canBeNull: others.length < resolved.length };
    }
  }
  return { schema, canBeNull: false };
}

function pointed(root: JsonObject, reference: string): unknown {
  if (reference === '#' || !reference.startsWith('#/')) {
    return {};
  }
  let current: unknown = root;
  for (const token of reference.slice(2).split('/')) {
    const key = decode(token).replaceAll('~1', '/').replaceAll('~0', '~');
    const inside: unknown = Array.isArray(current) || isObject(current) ? Object.entries(current) : [];
    current = (inside as readonly (readonly [string, unknown])[]).find(([name]) => name === key)?.[1];
  }
  return current ?? {};
}

function decode(token: string): string {
  try {
    return decodeURIComponent(token);
  } catch {
    // A stray `%` is not an encoding: the token stands for itself.
    return token;
  }
}
