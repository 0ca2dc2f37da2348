import { isObject, type JsonObject } from './jsonObject';

/** Keywords whose value is a map of names to schemas, and those whose value is data: neither's members are keywords. */
const maps = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies']);
const data = new Set(['enum', 'const', 'default', 'examples', 'example', 'required']);

/** Visits every sub-schema that is an object, without recursion of its own, so that no depth breaks it; `false` ends the walk. */
export function walkSchema(root: unknown, visit: (schema: JsonObject, depth: number) => boolean): void {
  const open: (readonly [unknown, number])[] = [[root, 0]];
  while (open.length > 0) {
    const [next, depth] = open.pop() ?? [undefined, 0];
    if (Array.isArray(next)) {
      next.forEach((item) => typeof item === 'object' && open.push([item, depth + 1]));
      continue;
    }
    if (!isObject(next)) {
      continue;
    }
    if (!visit(next, depth)) {
      return;
    }
    for (const [keyword, value] of Object.entries(next)) {
      if (typeof value !== 'object' || data.has(keyword)) {
        continue;
      }
      if (maps.has(keyword) && isObject(value)) {
        Object.values(value).forEach((item) => open.push([item, depth + 1]));
      } else {
        open.push([value, depth + 1]);
      }
    }
  }
}

/** Follows a JSON pointer (`#/a/b`) or `#`; nothing where it leads nowhere or out of the schema. */
export function resolvePointer(root: unknown, ref: string): unknown {
  if (ref === '#') {
    return root;
  }
  if (!ref.startsWith('#/')) {
    return undefined;
  }
  let target: unknown = root;
  for (const part of ref.slice(2).split('/')) {
    const name = decodePart(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof target !== 'object' || target === null || !Object.hasOwn(target, name)) {
      return undefined;
    }
    target = (target as JsonObject)[name];
  }
  return target;
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // Not percent-encoded after all: a name may hold a bare `%`.
    return part;
  }
}
