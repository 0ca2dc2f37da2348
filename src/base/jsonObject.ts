/** A JSON object as a server sent it: nothing about its members is known. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value out of JSON is an object, and no list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
