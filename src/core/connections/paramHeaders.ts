import { isObject, type JsonObject } from '../../base/jsonObject';
import { walkSchema } from '../../base/schemaWalk';

/** A parameter that goes as a header too: where its value is in the arguments, and the header's name behind the prefix. */
export interface ParamHeader {
  readonly path: readonly string[];
  readonly name: string;
}

const ANNOTATION = 'x-mcp-header';
const PREFIX = 'Mcp-Param-';
/** RFC 9110, section 5.1. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const TYPES: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean']);
const ENCODED = /^=\?base64\?[\s\S]*\?=$/;
/** Visible ASCII with spaces and tabs inside. */
const PLAIN = /^[!-~](?:[\t -~]*[!-~])?$/;

/**
 * The parameters that a tool wants as headers (spec: 2026-07-28 basic/transports/streamable-http, custom headers from
 * tool parameters), or why its annotations are wrong.
 */
export function readParamHeaders(inputSchema: unknown): readonly ParamHeader[] | string {
  const headers: ParamHeader[] = [];
  const reachable = new Set<JsonObject>();
  const names = new Set<string>();
  const open: { readonly schema: JsonObject; readonly path: readonly string[] }[] = [];
  const visitProperties = ({ properties }: JsonObject, path: readonly string[]): void => {
    for (const [name, property] of isObject(properties) ? Object.entries(properties) : []) {
      if (isObject(property)) {
        open.push({ schema: property, path: [...path, name] });
      }
    }
  };
  visitProperties(isObject(inputSchema) ? inputSchema : {}, []);
  for (let next = open.pop(); next; next = open.pop()) {
    const { schema, path } = next;
    reachable.add(schema);
    visitProperties(schema, path);
    if (!Object.hasOwn(schema, ANNOTATION)) {
      continue;
    }
    const { [ANNOTATION]: name, type } = schema;
    const where = `"${path.join('.')}" has an ${ANNOTATION}`;
    if (typeof name !== 'string' || !TOKEN.test(name)) {
      return `${where} that is no name of a header.`;
    }
    if (!TYPES.has(type)) {
      return `${where}, which only strings, integers and booleans may have.`;
    }
    if (names.has(name.toLowerCase())) {
      return `${where} that another parameter has too.`;
    }
    names.add(name.toLowerCase());
    headers.push({ path, name });
  }
  let astray = false;
  walkSchema(inputSchema, (schema) => {
    astray ||= Object.hasOwn(schema, ANNOTATION) && !reachable.has(schema);
    return !astray;
  });
  return astray ? `It has an ${ANNOTATION} elsewhere than on a property that "properties" alone lead to.` : headers;
}

/** The headers for a call with these arguments; what has no value, or none that can be written so, has no header. */
export function paramHeaders(declared: readonly ParamHeader[], args: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(
    declared.flatMap(({ path, name }) => {
      const text = textOf(path.reduce(memberOf, args));
      return text === undefined ? [] : [[PREFIX + name, encoded(text)]];
    }),
  );
}

function memberOf(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function textOf(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return value;
    case 'boolean':
      return String(value);
    case 'number':
      return Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : String(value);
    default:
      return undefined;
  }
}

function encoded(text: string): string {
  return PLAIN.test(text) && !ENCODED.test(text) ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}
