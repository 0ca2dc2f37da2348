import type { Tool } from '@modelcontextprotocol/client';
import type { Problem } from '../../base/errors';
import { isObject, type JsonObject } from '../../base/jsonObject';
import { walkSchema } from '../../base/schemaWalk';

const knownDialect = /^https?:\/\/json-schema\.org\/(draft-0[67]\/schema|draft\/(2019-09|2020-12)\/schema)#?$/;
const maxSchemas = 20_000;
const maxDepth = 200;

/**
 * Why a tool's schemas rule out calling it: a dialect that nobody here can check, a reference out of the schema (never
 * followed: 2026-07-28 basic#ref-resolution), or a size that is an attack. Nothing where they are fine.
 */
export function schemaProblem(tool: Tool): Problem | undefined {
  return problemOf(tool.name, 'input', tool.inputSchema) ?? problemOf(tool.name, 'output', tool.outputSchema);
}

function problemOf(name: string, which: 'input' | 'output', schema: unknown): Problem | undefined {
  if (schema === undefined || !isObject(schema)) {
    return undefined;
  }
  const unusable = (message: string): Problem => ({
    code: 'TOOL_UNUSABLE',
    message: `The tool ${name} cannot be used: its ${which} schema ${message}`,
  });
  const dialect = schema['$schema'];
  if (typeof dialect === 'string' && !knownDialect.test(dialect)) {
    return unusable(`is written in ${dialect.slice(0, 200)}, a JSON Schema dialect that Portico does not support.`);
  }
  const ids = new Set<string>();
  const outside: string[] = [];
  let count = 0;
  let tooLarge = false;
  walkSchema(schema, (part, depth) => {
    count += 1;
    tooLarge ||= count > maxSchemas || depth > maxDepth;
    const { $id, $ref, $dynamicRef } = part;
    if (typeof $id === 'string') {
      ids.add(withoutFragment($id));
    }
    for (const ref of [$ref, $dynamicRef]) {
      if (typeof ref === 'string' && !ref.startsWith('#') && !knownDialect.test(ref)) {
        outside.push(ref);
      }
    }
    return !tooLarge;
  });
  if (tooLarge) {
    return unusable('is too large or too deeply nested.');
  }
  const remote = which === 'input' ? remoteRef(schema, ids, outside) : undefined;
  return remote === undefined
    ? undefined
    : unusable(`refers to ${remote.slice(0, 200)}, and Portico never follows references out of a schema.`);
}

/** The first reference to another place: by itself, or seen from an `$id` that is an address. */
function remoteRef(schema: JsonObject, ids: ReadonlySet<string>, refs: readonly string[]): string | undefined {
  const { $id: base } = schema;
  const resolved = (uri: string): string =>
    typeof base === 'string' && URL.canParse(uri, base) ? withoutFragment(new URL(uri, base).href) : uri;
  const known = new Set([...ids, ...[...ids].map(resolved)]);
  const placed = [...ids].some(isAddress);
  return refs.find((ref) => {
    const target = withoutFragment(ref);
    return (placed || isAddress(ref)) && !known.has(target) && !known.has(resolved(target));
  });
}

/** A scheme, a path from the root, or another host. */
function isAddress(uri: string): boolean {
  return /^([a-z][a-z0-9+.-]*:|\/)/i.test(uri);
}

function withoutFragment(uri: string): string {
  return uri.replace(/#.*$/s, '');
}
