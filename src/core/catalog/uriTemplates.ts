import { PorticoError } from '../../base/errors';
import { shortText } from '../../base/plainText';
import type { TemplateValue, TemplateVariable } from './catalogTypes';

/** How an operator's expression is put together (RFC 6570, appendix A). */
interface Form {
  readonly first: string;
  readonly separator: string;
  /** Variables stand with their names; `ifEmpty` follows the name where the value is an empty text. */
  readonly named?: { readonly ifEmpty: string };
  /** Reserved characters and percent triplets stay as they are. */
  readonly reserved?: boolean;
}

interface Expression {
  readonly form: Form;
  readonly variables: readonly TemplateVariable[];
}

const plain: Form = { first: '', separator: ',' };
const forms: ReadonlyMap<string, Form> = new Map([
  ['+', { first: '', separator: ',', reserved: true }],
  ['#', { first: '#', separator: ',', reserved: true }],
  ['.', { first: '.', separator: '.' }],
  ['/', { first: '/', separator: '/' }],
  [';', { first: ';', separator: ';', named: { ifEmpty: '' } }],
  ['?', { first: '?', separator: '&', named: { ifEmpty: '=' } }],
  ['&', { first: '&', separator: '&', named: { ifEmpty: '=' } }],
]);

const variablePattern =
  /^((?:\w|%[0-9A-Fa-f]{2})+(?:\.(?:\w|%[0-9A-Fa-f]{2})+)*)(?:(?<explode>\*)|:(?<prefix>[1-9]\d{0,3}))?$/;
const outsideUnreserved = /[^\w.~-]/gu;
/** A percent triplet is matched as a whole, so that its own percent sign is left alone. */
const outsideReserved = /(%[0-9A-Fa-f]{2})|[^\w.~:/?#[\]@!$&'()*+,;=-]/gu;
/** One character of a value that may hold percent triplets: those of one UTF-8 sequence are one character. */
const reservedCharacter = /%[C-Fc-f][0-9A-Fa-f](?:%[89ABab][0-9A-Fa-f])+|%[0-9A-Fa-f]{2}|./gsu;

/** A variable that stands several times is one variable: it explodes if it does anywhere, and is cut if it is everywhere. */
export function variables(template: string): readonly TemplateVariable[] {
  const found = new Map<string, TemplateVariable>();
  for (const part of parse(template)) {
    for (const variable of typeof part === 'string' ? [] : part.variables) {
      const known = found.get(variable.name);
      found.set(variable.name, known ? merged(known, variable) : variable);
    }
  }
  return [...found.values()];
}

/** Throws ARGUMENTS_INVALID where a list or an object is given for a variable that is cut to a prefix (section 2.4.1). */
export function expand(template: string, values: Readonly<Record<string, TemplateValue | undefined>>): string {
  return parse(template)
    .map((part) => (typeof part === 'string' ? encode(part, true) : expandExpression(part, values)))
    .join('');
}

function merged(a: TemplateVariable, b: TemplateVariable): TemplateVariable {
  const cut = a.prefix !== undefined && b.prefix !== undefined ? { prefix: Math.max(a.prefix, b.prefix) } : {};
  return { name: a.name, explode: a.explode || b.explode, ...cut };
}

/** Literals as texts, expressions as read. */
function parse(template: string): readonly (string | Expression)[] {
  return Array.from(template.matchAll(/\{([^{}]*)\}|[{}]|[^{}]+/g), ([text, inside]) => {
    if (inside !== undefined) {
      return readExpression(template, inside);
    }
    if (text === '{' || text === '}') {
      throw malformed(template, text === '{' ? 'a "{" is never closed' : 'a "}" closes nothing');
    }
    return text;
  });
}

function readExpression(template: string, inside: string): Expression {
  const form = forms.get(inside.charAt(0));
  const names = form ? inside.slice(1) : inside;
  if (names === '') {
    throw malformed(template, `"{${inside}}" names no variable`);
  }
  if (/^[=,!@|]/.test(inside)) {
    throw malformed(template, `the operator "${inside.charAt(0)}" is reserved and means nothing yet`);
  }
  return { form: form ?? plain, variables: names.split(',').map((text) => readVariable(template, text)) };
}

function readVariable(template: string, text: string): TemplateVariable {
  const match = variablePattern.exec(text);
  const name = match?.[1];
  if (name === undefined) {
    throw malformed(
      template,
      `"${shortText(text)}" is no variable: a name has letters, digits, "_" and "." and may end with "*" or with ":" and a number below 10000`,
    );
  }
  const prefix = match?.groups?.['prefix'];
  return {
    name,
    explode: match?.groups?.['explode'] !== undefined,
    ...(prefix === undefined ? {} : { prefix: Number(prefix) }),
  };
}

function malformed(template: string, why: string): PorticoError {
  return new PorticoError(
    'TEMPLATE_INVALID',
    `The URI template "${shortText(template)}" cannot be read: ${why}. Only the server's author can correct it (RFC 6570).`,
  );
}

function expandExpression(
  { form, variables: wanted }: Expression,
  values: Readonly<Record<string, TemplateValue | undefined>>,
): string {
  const parts = wanted.flatMap((variable) => {
    const value = Object.hasOwn(values, variable.name) ? values[variable.name] : undefined;
    return value === undefined ? [] : expandVariable(form, variable, value);
  });
  return parts.length === 0 ? '' : form.first + parts.join(form.separator);
}

/** The parts that a variable adds to its expression; none where it is undefined, as empty lists and objects are (section 2.3). */
function expandVariable(form: Form, { name, explode, prefix }: TemplateVariable, value: TemplateValue): string[] {
  const encoded = (text: string): string => encode(text, form.reserved);
  const called = (title: string, text: string): string =>
    form.named ? `${encode(title, true)}${text === '' ? form.named.ifEmpty : `=${text}`}` : text;
  if (typeof value === 'string') {
    return [called(name, encoded(prefix === undefined ? value : firstCharacters(value, prefix, form.reserved)))];
  }
  if (prefix !== undefined) {
    throw new PorticoError(
      'ARGUMENTS_INVALID',
      `The variable "${shortText(name)}" is cut to ${prefix} characters, so it takes a text, not several values.`,
    );
  }
  const pairs = isList(value) ? undefined : Object.entries(value);
  const flat = pairs ? pairs.flat() : Object.values(value);
  if (flat.length === 0) {
    return [];
  }
  if (!explode) {
    return [called(name, flat.map(encoded).join(','))];
  }
  return pairs
    ? pairs.map(([key, text]) => (form.named ? called(key, encoded(text)) : `${encoded(key)}=${encoded(text)}`))
    : flat.map((text) => called(name, encoded(text)));
}

function isList(value: TemplateValue): value is readonly string[] {
  return Array.isArray(value);
}

/** Counted in characters as Unicode has them; a percent triplet that stays one is not cut (section 2.4.1). */
function firstCharacters(text: string, count: number, reserved = false): string {
  return (reserved ? (text.match(reservedCharacter) ?? []) : Array.from(text)).slice(0, count).join('');
}

function encode(text: string, reserved = false): string {
  return reserved
    ? text.replace(outsideReserved, (character, triplet?: string) => triplet ?? percentEncoded(character))
    : text.replace(outsideUnreserved, percentEncoded);
}

/** By UTF-8; half of a surrogate pair becomes the replacement character. */
function percentEncoded(character: string): string {
  return Array.from(Buffer.from(character), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
}
