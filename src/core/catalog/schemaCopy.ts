import { isObject, type JsonObject } from '../../base/jsonObject';
import { resolvePointer } from '../../base/schemaWalk';

/** Thrown where a copy would exceed its bounds. */
export class TooLarge extends Error {}

const maxNodes = 3_000;
const maxChoices = 250;
/** What models' APIs take as a property's name. */
const propertyName = /^[A-Za-z0-9_.-]{1,64}$/;
/** Keywords that are taken over as they are where the value has the type. */
const copied: Readonly<Record<string, 'number' | 'string' | 'boolean'>> = {
  title: 'string',
  minimum: 'number',
  maximum: 'number',
  exclusiveMinimum: 'number',
  exclusiveMaximum: 'number',
  multipleOf: 'number',
  minLength: 'number',
  maxLength: 'number',
  pattern: 'string',
  minItems: 'number',
  maxItems: 'number',
  uniqueItems: 'boolean',
};
const formats = new Set('date-time date time duration email hostname ipv4 ipv6 uri uuid'.split(' '));

/** Copies sub-schemas into the small common language of models' APIs: a tree without references. */
export class SchemaCopy {
  readonly notes: string[] = [];
  /** A required property whose name models' APIs refuse. */
  unnameable: string | undefined;
  private nodes = 0;
  private readonly inside: JsonObject[] = [];

  constructor(
    private readonly root: JsonObject,
    private readonly maxDepth: number,
    private readonly maxText: number,
  ) {}

  /** An object schema, `properties` always there. */
  object(schema: JsonObject): JsonObject {
    const required = new Set(
      (Array.isArray(schema['required']) ? schema['required'] : []).filter((name) => typeof name === 'string'),
    );
    const properties: [string, JsonObject][] = [];
    for (const [name, value] of isObject(schema['properties']) ? Object.entries(schema['properties']) : []) {
      if (value === false) {
        required.delete(name);
      } else if (propertyName.test(name) && name !== '__proto__') {
        properties.push([name, this.schema(value)]);
      } else if (required.delete(name)) {
        this.unnameable ??= name;
      } else {
        this.notes.push(`The optional argument ${JSON.stringify(name.slice(0, 80))} cannot be given by a model.`);
      }
    }
    const names = new Set(properties.map(([name]) => name));
    for (const name of required) {
      // Required, but not described: free input.
      if (!names.has(name) && propertyName.test(name)) {
        properties.push([name, {}]);
        names.add(name);
      }
    }
    const needed = [...required].filter((name) => names.has(name));
    const extra = schema['additionalProperties'];
    return {
      ...this.common(schema),
      type: 'object',
      properties: Object.fromEntries(properties),
      ...(needed.length > 0 ? { required: needed } : {}),
      ...(extra === undefined ? {} : { additionalProperties: isObject(extra) ? this.schema(extra) : extra !== false }),
    };
  }

  /** Any sub-schema: `true` becomes the schema that takes everything. */
  private schema(value: unknown): JsonObject {
    this.nodes += 1;
    if (this.nodes > maxNodes) {
      throw new TooLarge('Too many sub-schemas.');
    }
    if (!isObject(value)) {
      return value === false ? { description: 'Leave this out.' } : {};
    }
    const entered = this.inside.length;
    try {
      const schema = this.follow(value);
      if (!schema) {
        return this.shortened(value, 'Nested again in the same way.');
      }
      return this.inside.length > this.maxDepth ? this.shortened(schema, 'Details left out.') : this.typed(schema);
    } finally {
      this.inside.length = entered;
    }
  }

  /** The schema with its references replaced; nothing where that would never end. */
  private follow(start: JsonObject): JsonObject | undefined {
    this.inside.push(start);
    let schema = start;
    while (typeof schema['$ref'] === 'string') {
      const { $ref, ...beside } = schema;
      const target = resolvePointer(this.root, $ref as string);
      if (!isObject(target)) {
        return target === undefined ? { description: 'Not described by the server.', ...beside } : beside;
      }
      if (this.inside.includes(target)) {
        return undefined;
      }
      this.inside.push(target);
      schema = { ...target, ...beside };
    }
    return schema;
  }

  private shortened(schema: JsonObject, why: string): JsonObject {
    const target = typeof schema['$ref'] === 'string' ? resolvePointer(this.root, schema['$ref']) : schema;
    const type = isObject(target) ? target['type'] : undefined;
    if (type === 'object') {
      return { type, properties: {}, description: why };
    }
    if (type === 'array') {
      return { type, items: {}, description: why };
    }
    return typeof type === 'string' ? { type, description: why } : { description: why };
  }

  private typed(schema: JsonObject): JsonObject {
    const { type } = schema;
    if (Array.isArray(type)) {
      const types = type.filter((name) => typeof name === 'string' && name !== 'null');
      const nullable = type.includes('null');
      if (types.length === 1) {
        return orNull(this.typed({ ...schema, type: types[0] }), nullable);
      }
      const choices = types.map((one) => this.typed({ ...structure(schema, one), type: one }));
      return orNull(choices.length === 0 ? { type: 'null' } : { ...this.common(schema), anyOf: choices }, nullable);
    }
    const choices = schema['anyOf'] ?? schema['oneOf'];
    if (Array.isArray(choices) && choices.length > 0) {
      return this.union(schema, choices);
    }
    if (Array.isArray(schema['allOf'])) {
      return this.intersection(schema, schema['allOf']);
    }
    if (type === 'object' || (type === undefined && isObject(schema['properties']))) {
      return this.object(schema);
    }
    if (type === 'array' || (type === undefined && schema['items'] !== undefined)) {
      return { ...this.common(schema), type: 'array', items: this.items(schema) };
    }
    return { ...(typeof type === 'string' ? { type } : {}), ...this.common(schema) };
  }

  private items(schema: JsonObject): JsonObject {
    const { items, prefixItems } = schema;
    const listed = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : undefined;
    if (!listed) {
      return this.schema(items ?? true);
    }
    const choices = listed.slice(0, maxChoices).map((item) => this.schema(item));
    return choices.length === 1
      ? (choices[0] ?? {})
      : { anyOf: choices, description: 'One for each place, in this order.' };
  }

  private union(schema: JsonObject, choices: readonly unknown[]): JsonObject {
    const isNull = (choice: unknown) => isObject(choice) && (choice['type'] === 'null' || choice['const'] === null);
    const rest = choices.filter((choice) => choice !== false && !isNull(choice));
    const nullable = choices.some(isNull);
    const { anyOf: _anyOf, oneOf: _oneOf, ...beside } = schema;
    const [only] = rest;
    if (rest.length === 1 && isObject(only)) {
      return orNull(this.schema({ ...only, ...beside }), nullable);
    }
    const copies = rest.slice(0, maxChoices).map((choice) => this.schema(choice));
    return orNull(copies.length === 0 ? { type: 'null' } : { ...this.common(schema), anyOf: copies }, nullable);
  }

  private intersection(schema: JsonObject, parts: readonly unknown[]): JsonObject {
    const { allOf: _allOf, ...beside } = schema;
    const all = [...parts.map((part) => (isObject(part) ? this.follow(part) : undefined)), beside].filter(isObject);
    const merged: JsonObject = Object.assign({}, ...all);
    const properties: JsonObject = Object.assign({}, ...all.map((part) => part['properties']));
    const required = all.flatMap((part) => (Array.isArray(part['required']) ? part['required'] : []));
    const objects = Object.keys(properties).length > 0;
    return this.schema(
      objects ? { ...merged, allOf: undefined, properties, required } : { ...merged, allOf: undefined },
    );
  }

  private common(schema: JsonObject): JsonObject {
    const result: Record<string, unknown> = {};
    for (const [keyword, type] of Object.entries(copied)) {
      const value = schema[keyword];
      if (typeof value === type && !(typeof value === 'string' && value.length > 500)) {
        result[keyword] = value;
      }
    }
    const { description, format, enum: choices, const: constant, default: fallback } = schema;
    if (typeof description === 'string' && this.maxText > 0) {
      result['description'] = description.slice(0, this.maxText);
    }
    if (typeof format === 'string' && formats.has(format)) {
      result['format'] = format;
    }
    const values = constant === undefined ? choices : [constant];
    const plain = (Array.isArray(values) ? values : []).filter((value) => typeof value !== 'object' || value === null);
    if (plain.length > 0) {
      result['enum'] = plain.slice(0, maxChoices);
    }
    if (['string', 'number', 'boolean'].includes(typeof fallback)) {
      result['default'] = fallback;
    }
    return result;
  }
}

/** Models' APIs know no null beside another type: the description says it. */
function orNull(schema: JsonObject, nullable: boolean): JsonObject {
  if (!nullable) {
    return schema;
  }
  const { description, enum: choices } = schema;
  return {
    ...schema,
    ...(Array.isArray(choices) ? { enum: choices.filter((choice) => choice !== null) } : {}),
    description: [typeof description === 'string' ? description : '', 'May be null.'].join(' ').trim(),
  };
}

/** What a schema of several types says of one of them. */
function structure(schema: JsonObject, type: unknown): JsonObject {
  if (type === 'object') {
    const { properties, required, additionalProperties } = schema;
    return { properties, required, additionalProperties };
  }
  return type === 'array' ? { items: schema['items'], prefixItems: schema['prefixItems'] } : {};
}
