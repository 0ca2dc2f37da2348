import type { Resource, ResourceTemplateType } from '@modelcontextprotocol/client';
import { sizeText } from '../../base/sizeText';
import type { ServerStatus } from '../../core/hubTypes';
import type { ServerLists } from '../../core/connections/connectionTypes';
import { documentName } from '../interop/documentName';
import type { ResourcePart } from '../interop/knownResources';
import { counted, grouped, plainLine } from '../interop/text';

/** What a row shows beside its label, and what a screen reader says of the whole row. */
export interface RowTexts {
  readonly description: string;
  readonly spoken: string;
}

/** Whether a server has a row: it offers something, or its list failed. */
export function hasRow({ resources, templates }: ServerLists): boolean {
  return [resources, templates].some(
    ({ items, setAside, problem }) => items.length + setAside.length > 0 || problem !== undefined,
  );
}

/** `9`, `9 · 1 updated`, `9 · cached`; why the list is not whole or not there. */
export function serverTexts(key: string, status: ServerStatus, lists: ServerLists, updated: number): RowTexts {
  const name = plainLine(key, 80);
  const { resources, templates } = lists;
  const count = resources.items.length;
  const problem = resources.problem ?? templates.problem;
  const reason = problem && plainLine(problem.message, 200);
  const cached = resources.from !== 'none' && status.kind !== 'ready';
  const state = reason ?? (cached ? 'cached' : updated > 0 ? `${updated} updated` : '');
  return {
    description: [reason !== undefined && count === 0 ? '' : grouped(count), state].filter(Boolean).join(' · '),
    spoken: [name, counted(count, 'resource'), state].filter(Boolean).join(', '),
  };
}

export interface ResourceState {
  readonly key: string;
  readonly label: string;
  /** The contents of its last read, as far as it was read. */
  readonly parts: readonly ResourcePart[];
  /** When it was updated last, in milliseconds since the epoch. */
  readonly updatedAt?: number;
  readonly now: number;
  /** In a flat list the URI tells apart what has the same label. */
  readonly flat: boolean;
}

/** `updated 2 min ago`, `3 parts` or `12 KB`. What the list does not say, the last read may. */
export function resourceTexts(resource: Resource, state: ResourceState): RowTexts {
  const { key, label, parts, updatedAt, now, flat } = state;
  const only = parts.length === 1 ? parts[0] : undefined;
  const size = sizeOf(resource) ?? only?.size;
  const several = parts.length > 1 ? counted(parts.length, 'part') : '';
  const news = [
    updatedAt === undefined ? '' : `updated ${ago(now - updatedAt)}`,
    several,
    size === undefined ? '' : sizeText(size),
  ].find((text) => text !== '');
  return {
    description: [news, flat ? plainLine(resource.uri, 200) : ''].filter(Boolean).join(' · '),
    spoken: [label, kindOf(resource.mimeType ?? only?.mimeType), `from ${plainLine(key, 80)}`, several]
      .filter(Boolean)
      .join(', '),
  };
}

/** One of several contents: `Part 2` unless it has a name of its own. */
export function partTexts(
  part: ResourcePart,
  place: { readonly uri: string; readonly part: number; readonly of: number; readonly key: string },
): RowTexts & { readonly label: string } {
  const number = place.part + 1;
  const label = part.uri === place.uri ? `Part ${number}` : plainLine(documentName(part), 100);
  return {
    label,
    description: sizeText(part.size),
    spoken: [label, kindOf(part.mimeType), `from ${plainLine(place.key, 80)}`, `part ${number} of ${place.of}`]
      .filter(Boolean)
      .join(', '),
  };
}

/** The end of a template, which tells it apart from its neighbours: `…/text/{resourceId}`. */
export function templateTexts(template: ResourceTemplateType, label: string, key: string): RowTexts {
  return {
    description: ending(plainLine(template.uriTemplate, 2_000)),
    spoken: `${label}, template, from ${plainLine(key, 80)}`,
  };
}

/** The title where there is one, as the spec says; the name otherwise. */
export function templateLabel({ title, name, uriTemplate }: ResourceTemplateType): string {
  return plainLine(title ?? '', 100) || plainLine(name, 100) || plainLine(uriTemplate, 100);
}

/** The size in bytes, where the server gave one that can be true. */
export function sizeOf({ size }: Resource): number | undefined {
  return typeof size === 'number' && Number.isFinite(size) && size >= 0 ? size : undefined;
}

/** How long ago, in the words of a row; `just now` within the first minute. */
export function ago(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) {
    return 'just now';
  }
  if (minutes < 60) {
    return `${minutes} min ago`;
  }
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours} h ago` : `${counted(Math.floor(hours / 24), 'day')} ago`;
}

/** A MIME type as people say it: `Markdown`, `PNG image`. Empty where it says nothing. */
export function kindOf(mimeType: string | undefined): string {
  const [type = '', subtype = ''] = plainLine(mimeType?.split(';')[0] ?? '', 80)
    .toLowerCase()
    .split('/');
  const name = subtype.replace(/^(x-|vnd\.)+/, '').replace(/\+(\w+)$/, '');
  if (type === '' || name === '' || name === 'octet-stream') {
    return subtype === 'octet-stream' ? 'binary' : '';
  }
  const known = spokenTypes.get(name);
  if (type === 'image' || type === 'audio' || type === 'video') {
    return `${known ?? name.toUpperCase()} ${type}`;
  }
  return known ?? name;
}

const spokenTypes: ReadonlyMap<string, string> = new Map([
  ['plain', 'plain text'],
  ['markdown', 'Markdown'],
  ['json', 'JSON'],
  ['html', 'HTML'],
  ['xml', 'XML'],
  ['csv', 'CSV'],
  ['css', 'CSS'],
  ['yaml', 'YAML'],
  ['javascript', 'JavaScript'],
  ['typescript', 'TypeScript'],
  ['python', 'Python'],
  ['pdf', 'PDF'],
  ['zip', 'ZIP archive'],
  ['gzip', 'GZIP archive'],
]);

/** The last two segments of an address that is longer. */
function ending(address: string): string {
  const tail = /[^/]\/+([^/]+\/[^/]+\/?)$/.exec(address)?.[1];
  return tail === undefined ? address : `…/${tail}`;
}
