import type { Node } from 'jsonc-parser';
import { commonEnds } from '../../base/commonEnds';
import { PorticoError } from '../../base/errors';
import { isObject } from '../../base/jsonObject';
import { nodeAt, parseConfigText, placeAt, propertiesOf, propertyOf, valueOf } from './configText';
import type {
  ConfigSource,
  EntryPath,
  RecognizedServer,
  ServerDefinition,
  SourceKind,
  TakeOver,
  TextEdit,
} from './configTypes';
import { canonicalJson } from '../../base/canonicalJson';
import {
  indentAt,
  insertProperty,
  type Layout,
  layoutOf,
  printValue,
  reindent,
  removeProperty,
  splice,
} from './propertyText';

/** Adds an entry behind the others, or changes the fields of the one that is there. */
export function setEntry(text: string, path: EntryPath, value: unknown): readonly TextEdit[] {
  return editsBetween(text, setValue(text, path, value));
}

/** The same with the value as text, whose comments are kept. */
export function setEntryText(text: string, path: EntryPath, valueText: string): readonly TextEdit[] {
  const layout = layoutOf(text);
  const print = (indent: string): string => reindent(valueText, '', layoutOf(valueText).unit, indent, layout);
  const { root } = parsed(text);
  const node = nodeAt(root, path);
  const after =
    node === undefined
      ? insertAt(text, path, print, layout)
      : splice(text, node.offset, node.offset + node.length, print(indentAt(text, node.offset)));
  return editsBetween(text, after);
}

/** Takes an entry away with the comments that are its own; nothing where there is none. */
export function removeEntry(text: string, path: EntryPath): readonly TextEdit[] {
  return editsBetween(text, removeAt(text, path));
}

export function renameEntry(text: string, path: EntryPath, key: string): readonly TextEdit[] {
  const parent = nodeAt(parsed(text).root, path.slice(0, -1));
  const name = propertyOf(parent, path.at(-1) ?? '')?.children?.[0];
  if (name === undefined) {
    throw failure(`There is no server "${path.at(-1) ?? ''}" to rename.`);
  }
  if (key !== name.value && propertyOf(parent, key) !== undefined) {
    throw failure(`There is a server "${key}" already: choose another name.`);
  }
  return editsBetween(text, splice(text, name.offset, name.offset + name.length, JSON.stringify(key)));
}

export function setDisabled(text: string, path: EntryPath, disabled: boolean): readonly TextEdit[] {
  const entry = nodeAt(parsed(text).root, path);
  if (entry?.type !== 'object') {
    throw failure(`There is no server "${path.at(-1) ?? ''}" to turn ${disabled ? 'off' : 'on'}.`);
  }
  // Whichever word the entry used, only `disabled` is left, as the other says the same.
  const plain = removeAt(text, [...path, 'enabled']);
  const after = disabled ? setValue(plain, [...path, 'disabled'], true) : removeAt(plain, [...path, 'disabled']);
  return editsBetween(text, after);
}

/**
 * What it takes to let Portico run an entry of the editor's files: the entry leaves its file, but for `.mcp.json`,
 * which others read too. Inputs that it uses go with it.
 */
export function takeOver(definition: ServerDefinition, fromText: string): TakeOver {
  const path = entryPath(definition.source, definition.key);
  const node = nodeAt(parsed(fromText).root, path);
  if (node === undefined) {
    throw failure(`Server "${definition.key}" stands no longer in ${definition.source.label}.`);
  }
  const layout = layoutOf(fromText);
  const raw = reindent(
    fromText.slice(node.offset, node.offset + node.length),
    indentAt(fromText, node.offset),
    layout.unit,
    '',
    layout,
  );
  const entryText = definition.inputs.length > 0 ? setValue(raw, ['inputs'], definition.inputs) : raw;
  return { entryText, from: definition.source.kind === 'mcpJson' ? [] : removeEntry(fromText, path) };
}

/** Where entries of a kind of source stand in its file; a workspace file holds its settings one level down. */
export function entryPath(source: ConfigSource, key: string): EntryPath {
  switch (source.kind) {
    case 'settings':
      return source.file?.endsWith('.code-workspace') ? ['settings', 'portico.servers', key] : ['portico.servers', key];
    case 'vscodeMcpJson':
    case 'userMcpJson':
      return ['servers', key];
    case 'mcpJson':
    case 'file':
      return ['mcpServers', key];
  }
}

/** The entry of a recognised server as a kind of file wants it: settings hold the inputs in the entry, `.mcp.json` knows none. */
export function entryFor(server: RecognizedServer, kind: SourceKind): Readonly<Record<string, unknown>> {
  if (server.inputs.length === 0) {
    return server.entry;
  }
  if (kind !== 'mcpJson') {
    return { ...server.entry, inputs: server.inputs };
  }
  // Who else reads the file knows environment variables only.
  const names = new Map(server.inputs.map(({ id, description }) => [id, environmentName(description ?? id)]));
  const text = JSON.stringify(server.entry).replace(/\$\{input:([^}]*)\}/g, (whole: string, id: string) => {
    const name = names.get(id);
    return name === undefined ? whole : `\${${name}}`;
  });
  return JSON.parse(text) as Readonly<Record<string, unknown>>;
}

export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  return [...edits]
    .sort((a, b) => b.offset - a.offset)
    .reduce((result, edit) => splice(result, edit.offset, edit.offset + edit.length, edit.text), text);
}

function environmentName(text: string): string {
  return text
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^(?=\d)/, '_')
    .toUpperCase();
}

function setValue(text: string, path: EntryPath, value: unknown): string {
  const layout = layoutOf(text);
  const node = nodeAt(parsed(text).root, path);
  if (node === undefined) {
    return insertAt(text, path, (indent) => printValue(value, indent, layout), layout);
  }
  if (canonicalJson(valueOf(node)) === canonicalJson(value)) {
    return text;
  }
  if (node.type !== 'object' || !isObject(value)) {
    const printed = printValue(value, indentAt(text, node.offset), layout);
    return splice(text, node.offset, node.offset + node.length, printed);
  }
  // Field by field, so that comments between the fields stay.
  const gone = propertiesOf(node).map((property) => String(property.children?.[0]?.value));
  const kept = gone
    .filter((key) => !Object.hasOwn(value, key))
    .reduce((result, key) => removeAt(result, [...path, key]), text);
  return Object.entries(value).reduce((result, [key, field]) => setValue(result, [...path, key], field), kept);
}

/** Inserts a value at a path, with the objects around it that are missing. */
function insertAt(text: string, path: EntryPath, print: (indent: string) => string, layout: Layout): string {
  const { root } = parsed(text);
  const wrap = (keys: readonly string[], indent: string): string => {
    const [key, ...rest] = keys;
    if (key === undefined) {
      return print(indent);
    }
    const inner = indent + layout.unit;
    return `{${layout.eol}${inner}${JSON.stringify(key)}: ${wrap(rest, inner)}${layout.eol}${indent}}`;
  };
  if (root === undefined) {
    const comments = text.trimEnd();
    return `${comments}${comments === '' ? '' : layout.eol}${wrap(path, '')}${layout.eol}`;
  }
  let parent: Node = root;
  let depth = 0;
  for (let next = nodeAt(parent, [path[0]]); next !== undefined && depth < path.length - 1;) {
    parent = next;
    depth += 1;
    next = nodeAt(parent, [path[depth] ?? '']);
  }
  if (parent.type !== 'object') {
    throw failure(`"${path[depth - 1] ?? 'The file'}" is not an object: make it {} first.`);
  }
  const rest = path.slice(depth + 1);
  return insertProperty(text, parent, path[depth] ?? '', (indent) => wrap(rest, indent), layout);
}

function removeAt(text: string, path: EntryPath): string {
  const parent = nodeAt(parsed(text).root, path.slice(0, -1));
  const property = propertyOf(parent, path.at(-1) ?? '');
  return parent === undefined || property === undefined ? text : removeProperty(text, parent, property);
}

function parsed(text: string) {
  const result = parseConfigText(text);
  const [fault] = text.trim() === '' || result.root === undefined ? [] : result.faults;
  if (fault !== undefined) {
    const { line } = placeAt(result.text, '', fault);
    throw failure(`The file cannot be changed: ${fault.what} (line ${line + 1}). Mend it first.`);
  }
  return result;
}

/** One edit that makes one text of another, touching no more than lies between their common ends. */
function editsBetween(before: string, after: string): readonly TextEdit[] {
  if (before === after) {
    return [];
  }
  const { start, end } = commonEnds(before, after);
  return [{ offset: start, length: before.length - end - start, text: after.slice(start, after.length - end) }];
}

function failure(message: string): PorticoError {
  return new PorticoError('CONFIG_WRITE_FAILED', message);
}
