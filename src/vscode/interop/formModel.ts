import { canonicalJson } from '../../base/canonicalJson';
import { isObject, type JsonObject } from '../../base/jsonObject';
import { checkable } from '../../base/schemaRegExp';
import { nullable, resolveSchema } from './formSchema';
import { parseNumber } from './formNumbers';

/** How one field is asked for. Options carry their value as JSON text, so that a select can hold any constant. */
export type FormControl =
  | {
      readonly kind: 'text';
      readonly format?: string;
      readonly multiline: boolean;
      readonly minLength?: number;
      readonly maxLength?: number;
      readonly pattern?: string;
    }
  | {
      readonly kind: 'number';
      readonly integer: boolean;
      readonly minimum?: number;
      readonly maximum?: number;
      readonly exclusiveMinimum?: number;
      readonly exclusiveMaximum?: number;
    }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'select'; readonly options: readonly FormOption[] }
  | { readonly kind: 'checks'; readonly options: readonly FormOption[]; readonly min?: number; readonly max?: number }
  /** One simple value a row. */
  | {
      readonly kind: 'list';
      readonly item: 'string' | 'number' | 'integer';
      readonly min?: number;
      readonly max?: number;
    }
  /** Anything else: JSON text. `shape` says what is expected ("object", "array of object"). */
  | { readonly kind: 'json'; readonly shape: string };

export interface FormOption {
  readonly label: string;
  readonly json: string;
}

export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly description?: string;
  readonly required: boolean;
  /** A required field left alone is sent as null where the schema lets it be null. */
  readonly nullable: boolean;
  readonly control: FormControl;
  /** What of the schema is not checked here, for the person to know. */
  readonly unchecked?: string;
  readonly initial: FieldValue;
}

/** What a control holds: text, a check mark, rows; nothing while untouched. */
export type FieldValue = string | boolean | readonly string[] | undefined;
export type FormValues = Readonly<Record<string, FieldValue>>;

/** Fields, or the whole arguments as JSON where the schema's root cannot be put into fields. */
export interface FormModel {
  readonly mode: 'fields' | 'json';
  readonly fields: readonly FormField[];
}

export interface FormResult {
  readonly args: JsonObject;
  /** By field name; a form with any is not sent. */
  readonly errors: Readonly<Record<string, string>>;
}

const combinators = ['oneOf', 'anyOf', 'allOf', 'if', 'dependentSchemas', 'dependencies', '$ref', 'not'] as const;

/** The form of a JSON Schema of an object. Nothing outside the schema is ever followed. */
export function formModel(schema: unknown): FormModel {
  if (!isObject(schema)) {
    return { mode: 'json', fields: [] };
  }
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const open = schema['patternProperties'] !== undefined || isObject(schema['additionalProperties']);
  if (combinators.some((key) => schema[key] !== undefined) || (open && Object.keys(properties).length === 0)) {
    return { mode: 'json', fields: [] };
  }
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const fields = Object.entries(properties).flatMap(([name, property]) => {
    const isRequired = required.includes(name);
    return property === false ? [] : [toField(name, property, isRequired, schema)];
  });
  const missing = required.filter(
    (name): name is string => typeof name === 'string' && !Object.hasOwn(properties, name),
  );
  return { mode: 'fields', fields: [...fields, ...missing.map((name) => toField(name, true, true, schema))] };
}

/** A field that a single quick input can ask for: one that has no more to say than its description. */
export function isSimple({ control, unchecked }: FormField): boolean {
  return unchecked === undefined && ['text', 'number', 'boolean', 'select'].includes(control.kind);
}

/** What the controls hold at first. */
export function initialValues(model: FormModel): FormValues {
  return Object.fromEntries(model.fields.map((field) => [field.name, field.initial]));
}

/** The controls' contents for given arguments, or nothing where the fields cannot hold them as they are. */
export function valuesOf(model: FormModel, args: JsonObject): FormValues | undefined {
  const values: FormValues = Object.fromEntries(
    model.fields.map(({ name, control }) => [
      name,
      Object.hasOwn(args, name) ? toValue(control, args[name]) : undefined,
    ]),
  );
  const back = toArguments(model, values);
  return Object.keys(back.errors).every((name) => values[name] === undefined) && sameJson(back.args, args)
    ? values
    : undefined;
}

/** The arguments that the controls stand for, typed as the schema wants them, and what is wrong with them. */
export function toArguments(model: FormModel, values: FormValues): FormResult {
  // A property may be named `__proto__`, which an assignment would lose, or `constructor`, which every object inherits.
  const args: [string, unknown][] = [];
  const errors: [string, string][] = [];
  for (const field of model.fields) {
    const parsed = parseField(field, Object.hasOwn(values, field.name) ? values[field.name] : undefined);
    if ('error' in parsed) {
      errors.push([field.name, parsed.error]);
    } else if (parsed.value !== undefined) {
      args.push([field.name, parsed.value]);
    }
  }
  return { args: Object.fromEntries(args), errors: Object.fromEntries(errors) };
}

type Parsed = { readonly value: unknown } | { readonly error: string };

/** One field's content as its value; an absent value means: leave the argument out. */
export function parseField(field: FormField, value: FieldValue): Parsed {
  const { control } = field;
  const blank =
    value === undefined ||
    (Array.isArray(value) && value.length === 0 && !field.required) ||
    isBlankText(control, value);
  if (blank && !(field.required && value === '' && control.kind === 'text')) {
    if (!field.required) {
      return { value: undefined };
    }
    if (control.kind === 'boolean') {
      return { value: false };
    }
    return field.nullable ? { value: null } : { error: 'A value is required.' };
  }
  switch (control.kind) {
    case 'text':
      return parseText(control, String(value));
    case 'number':
      return parseNumber(control, String(value));
    case 'boolean':
      return { value: value === true };
    case 'select':
      return parseJson(String(value));
    case 'checks':
    case 'list':
      return parseRows(control, Array.isArray(value) ? value : []);
    case 'json':
      return parseJson(String(value));
  }
}

function isBlankText(control: FormControl, value: FieldValue): boolean {
  return typeof value === 'string' && (control.kind === 'text' ? value === '' : value.trim() === '');
}

function parseText(control: FormControl & { kind: 'text' }, text: string): Parsed {
  const length = [...text].length;
  if (control.minLength !== undefined && length < control.minLength) {
    return { error: `At least ${control.minLength} characters, please; there are ${length}.` };
  }
  if (control.maxLength !== undefined && length > control.maxLength) {
    return { error: `At most ${control.maxLength} characters, please; there are ${length}.` };
  }
  return { value: text };
}

function parseRows(control: FormControl & { kind: 'checks' | 'list' }, rows: readonly string[]): Parsed {
  const values: unknown[] = [];
  for (const [index, row] of rows.entries()) {
    const parsed =
      control.kind === 'checks'
        ? parseJson(row)
        : control.item === 'string'
          ? { value: row }
          : parseNumber({ integer: control.item === 'integer' }, row);
    if ('error' in parsed) {
      return { error: `Row ${index + 1}: ${parsed.error}` };
    }
    values.push(parsed.value);
  }
  const noun = control.kind === 'checks' ? 'choices' : 'rows';
  if (control.min !== undefined && values.length < control.min) {
    return { error: `At least ${control.min} ${noun}, please.` };
  }
  if (control.max !== undefined && values.length > control.max) {
    return { error: `At most ${control.max} ${noun}, please.` };
  }
  return { value: values };
}

function parseJson(text: string): Parsed {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    return { error: `This is not JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}

function toValue(control: FormControl, value: unknown): FieldValue {
  switch (control.kind) {
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined;
    case 'text':
      return typeof value === 'string' ? value : undefined;
    case 'number':
      return typeof value === 'number' ? String(value) : undefined;
    case 'select': {
      const json = JSON.stringify(value);
      return control.options.some((option) => option.json === json) ? json : undefined;
    }
    case 'checks':
      return Array.isArray(value) ? value.map((item) => JSON.stringify(item)) : undefined;
    case 'list':
      return Array.isArray(value) ? value.map(String) : undefined;
    case 'json':
      return JSON.stringify(value, undefined, 2);
  }
}

function toField(name: string, property: unknown, required: boolean, root: JsonObject): FormField {
  const resolved = resolveSchema(property, root);
  const { schema, canBeNull } = nullable(resolved, root);
  const source = isObject(schema) ? schema : {};
  const outer = isObject(property) ? property : {};
  const title = outer['title'] ?? source['title'];
  const description = outer['description'] ?? source['description'];
  const control = toControl(source);
  const fallback = Object.hasOwn(outer, 'default') ? outer['default'] : source['default'];
  const constant = Object.hasOwn(source, 'const') && required ? source['const'] : undefined;
  return {
    name,
    label: typeof title === 'string' && title.trim() !== '' ? title : name,
    ...(typeof description === 'string' && description.trim() !== '' ? { description } : {}),
    required,
    nullable: canBeNull,
    control,
    ...(hasUncheckedPattern(source) ? { unchecked: uncheckedPattern } : {}),
    initial: toValue(control, fallback ?? constant),
  };
}

const uncheckedPattern =
  'The pattern is not checked here, as it cannot be run safely; the server may refuse the value.';

/** Its own pattern, or that of the items of a list. */
function hasUncheckedPattern({ pattern, items }: JsonObject): boolean {
  const inside = isObject(items) ? items['pattern'] : undefined;
  return [pattern, inside].some((source) => typeof source === 'string' && !checkable(source));
}

function toControl(schema: JsonObject): FormControl {
  const options = toOptions(schema);
  if (options) {
    return { kind: 'select', options };
  }
  switch (schema['type']) {
    case 'string':
      return {
        kind: 'text',
        ...only(schema, 'format', 'string'),
        multiline: ['format', 'pattern'].every((key) => schema[key] === undefined),
        ...only(schema, 'minLength', 'number'),
        ...only(schema, 'maxLength', 'number'),
        ...only(schema, 'pattern', 'string'),
      };
    case 'number':
    case 'integer':
      return {
        kind: 'number',
        integer: schema['type'] === 'integer',
        ...only(schema, 'minimum', 'number'),
        ...only(schema, 'maximum', 'number'),
        ...only(schema, 'exclusiveMinimum', 'number'),
        ...only(schema, 'exclusiveMaximum', 'number'),
      };
    case 'boolean':
      return { kind: 'boolean' };
    case 'array':
      return toRows(schema);
    default:
      return { kind: 'json', shape: typeof schema['type'] === 'string' ? schema['type'] : 'any JSON value' };
  }
}

function toRows(schema: JsonObject): FormControl {
  const items = isObject(schema['items']) ? schema['items'] : {};
  const options = toOptions(items);
  const bounds = {
    ...(typeof schema['minItems'] === 'number' ? { min: schema['minItems'] } : {}),
    ...(typeof schema['maxItems'] === 'number' ? { max: schema['maxItems'] } : {}),
  };
  if (options) {
    return { kind: 'checks', options, ...bounds };
  }
  const type = items['type'];
  if ((type === 'string' || type === 'number' || type === 'integer') && schema['prefixItems'] === undefined) {
    return { kind: 'list', item: type, ...bounds };
  }
  return { kind: 'json', shape: typeof type === 'string' ? `array of ${type}` : 'array' };
}

/** Constants to choose from: `enum` (with the old `enumNames`), or `oneOf`/`anyOf` of titled constants. */
function toOptions(schema: JsonObject): readonly FormOption[] | undefined {
  const choices = schema['enum'];
  if (Array.isArray(choices) && choices.length > 0) {
    const names: readonly unknown[] = Array.isArray(schema['enumNames']) ? schema['enumNames'] : [];
    return choices.map((value: unknown, index) => toOption(value, names[index]));
  }
  if (Object.hasOwn(schema, 'const')) {
    return [toOption(schema['const'], schema['title'])];
  }
  const branches = schema['oneOf'] ?? schema['anyOf'];
  if (Array.isArray(branches) && branches.length > 0) {
    const titled = branches.filter(
      (branch): branch is JsonObject => isObject(branch) && Object.hasOwn(branch, 'const'),
    );
    return titled.length === branches.length
      ? titled.map((branch) => toOption(branch['const'], branch['title']))
      : undefined;
  }
  return undefined;
}

function toOption(value: unknown, title: unknown): FormOption {
  const plain = typeof value === 'string' ? value : JSON.stringify(value);
  return { label: typeof title === 'string' && title !== '' ? title : plain, json: JSON.stringify(value) };
}

function only<K extends string, T extends 'string' | 'number'>(
  schema: JsonObject,
  key: K,
  type: T,
): Partial<Record<K, T extends 'string' ? string : number>> {
  return typeof schema[key] === type
    ? ({ [key]: schema[key] } as Partial<Record<K, T extends 'string' ? string : number>>)
    : {};
}

function sameJson(left: unknown, right: unknown): boolean {
  return canonicalJson(left) === canonicalJson(right);
}
