/**
 * The arguments without those that are null and not required: models write null for what they leave out, and the spec
 * treats it as left out, too (2026-07-28 basic/transports/streamable-http, headers from parameters).
 */
export function withoutOptionalNulls(
  schema: object,
  args: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const required: readonly unknown[] = 'required' in schema && Array.isArray(schema.required) ? schema.required : [];
  return Object.fromEntries(Object.entries(args).filter(([name, value]) => value !== null || required.includes(name)));
}
