import type { ServerView } from '../../core/hubTypes';

export type ResourceList = 'resources' | 'templates';

/** A row of the Resources view. Rows of resources and templates are the arguments of their commands. */
export type Node = {
  readonly id: string;
  /** The server's id. */
  readonly server: string;
  readonly view: ServerView;
} & (
  | { readonly kind: 'server' | 'templates' }
  /** `row` is the folder's id in the catalog's tree. */
  | { readonly kind: 'folder'; readonly row: string }
  /** A stretch of a flat list that is too long to be shown in one, by the places of its first and last. */
  | { readonly kind: 'range'; readonly first: number; readonly last: number }
  | { readonly kind: 'resource'; readonly uri: string }
  | { readonly kind: 'part'; readonly uri: string; readonly part: number }
  | { readonly kind: 'template'; readonly template: string }
  /** An entry of a list that cannot be used. */
  | { readonly kind: 'setAside'; readonly list: ResourceList; readonly index: number }
);

/** Ids are stable over refreshes and reloads: selection, focus and expansion hang on them. */
export const nodeIds = {
  server: (server: string) => `server:${server}`,
  folder: (server: string, row: string) => `folder:${server}:${row}`,
  range: (server: string, first: number) => `range:${server}:${first}`,
  resource: (server: string, uri: string) => `resource:${server}:${uri}`,
  part: (server: string, uri: string, part: number) => `part:${server}:${part}:${uri}`,
  templates: (server: string) => `templates:${server}`,
  template: (server: string, template: string) => `template:${server}:${template}`,
  setAside: (server: string, list: ResourceList, index: number) => `aside:${list}:${server}:${index}`,
};

/** The stretches of a flat list of `count` rows: at most `size` rows each, all in one where they fit. */
export function ranges(count: number, size: number): readonly { readonly first: number; readonly last: number }[] {
  return Array.from({ length: Math.ceil(count / size) }, (_, index) => ({
    first: index * size,
    last: Math.min(count, (index + 1) * size) - 1,
  }));
}
