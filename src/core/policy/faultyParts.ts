import { isObject, type JsonObject } from '../../base/jsonObject';

/** A schema of an object without the properties, or the list of the required ones, that do not compile. */
export interface Repaired {
  readonly schema: object;
  /** What is left out, as people read it; none where the fault is elsewhere, and the schema is as it was. */
  readonly left: readonly string[];
}

/** Compilations are not free: more properties than this are not tried one by one. */
const maxProperties = 200;

/** Tries each property on its own, beside what all have in common; one that does not compile may then be anything. */
export function withoutFaultyParts(schema: object, compiles: (schema: object) => boolean): Repaired {
  const { properties, required, ...common } = schema as JsonObject;
  const parts = isObject(properties) ? Object.entries(properties) : [];
  if (parts.length > maxProperties || !compiles(common)) {
    return { schema, left: [] };
  }
  const faulty = parts
    .filter(([name, part]) => !compiles({ ...common, properties: Object.fromEntries([[name, part]]) }))
    .map(([name]) => name);
  const isListed = required === undefined || compiles({ ...common, required });
  const kept = parts.map(([name, part]): [string, unknown] => [name, faulty.includes(name) ? true : part]);
  return {
    schema: { ...common, properties: Object.fromEntries(kept), ...(isListed ? { required } : {}) },
    left: [...faulty.map((name) => JSON.stringify(name)), ...(isListed ? [] : ['what is required'])],
  };
}
