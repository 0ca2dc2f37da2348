import { isObject } from './jsonObject';

/** The values of an object, and the schema's defaults for the properties that have none. */
export function withDefaults(
  schema: Readonly<Record<string, unknown>>,
  values: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const defaults = Object.entries(properties).flatMap(([name, property]): [string, unknown][] =>
    isObject(property) && Object.hasOwn(property, 'default') ? [[name, property['default']]] : [],
  );
  // Assigned one by one, a property called `__proto__` would be lost.
  return Object.fromEntries([...defaults, ...Object.entries(values)]);
}
