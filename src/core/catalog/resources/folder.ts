import type { Resource } from '@modelcontextprotocol/client';
import { naturalKey } from './naturalKey';
import { cutUri, toLabel } from './resourcePath';

/** What the URIs in it have in common: their beginning up to a slash. The root's prefix is empty. */
export class Folder {
  readonly folders: Folder[] = [];
  readonly resources: Resource[] = [];
  /** Resources in it and below. */
  count = 0;

  constructor(
    readonly prefix: string,
    readonly parent: Folder | undefined,
    readonly isOrigin: boolean,
  ) {}

  /** The last folder of the single chain that begins here: the whole chain is one row. */
  get chainEnd(): Folder {
    return this.isLink ? (this.folders[0]?.chainEnd ?? this) : this;
  }

  /** The first folder of the single chain that ends here. */
  get chainStart(): Folder {
    return this.parent?.isLink ? this.parent.chainStart : this;
  }

  private get isLink(): boolean {
    return this.parent !== undefined && this.folders.length === 1 && this.resources.length === 0;
  }
}

/** What makes one row: a resource, or the last folder of a chain. */
export type Row = Folder | Resource;

export function rowId(row: Row): string {
  return row instanceof Folder ? `folder:${row.prefix}` : `resource:${row.uri}`;
}

export function rowLabel(row: Row): string {
  if (!(row instanceof Folder)) {
    return row.title?.trim() || toLabel(row.uri.slice(cutUri(row.uri).leaf)) || row.name || row.uri;
  }
  const above = row.chainStart.parent?.prefix ?? '';
  const text = row.prefix.slice(above.length);
  return toLabel(above !== '' && text.startsWith('/') ? text.slice(1) : text) || '/';
}

/** A row with what it is sorted by: folders before resources, each in natural order, as the Explorer has files. */
export interface Keyed {
  readonly row: Row;
  readonly key: string;
}

export function keyed(row: Row): Keyed {
  return { row, key: `${row instanceof Folder ? 0 : 1}${naturalKey(rowLabel(row))}` };
}

/** A total order: rows that look the same are told apart by their URIs. */
export function compareRows(a: Keyed, b: Keyed): number {
  return compareText(a.key, b.key) || compareText(rowId(a.row), rowId(b.row));
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
