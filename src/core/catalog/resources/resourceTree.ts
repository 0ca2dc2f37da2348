import type { Resource } from '@modelcontextprotocol/client';
import { TimeSlices } from '../../../base/timeSlices';
import type { ResourceNode, ResourceTree } from '../catalogTypes';
import { compareRows, Folder, type Keyed, keyed, type Row, rowId, rowLabel } from './folder';
import { Level, MAX_ROWS, type Stretch } from './level';
import { cutUri } from './resourcePath';
import { sortInSlices } from './sortInSlices';

const MAX_RANGE_LABEL = 40;

const trees = new WeakMap<readonly Resource[], Promise<ResourceTree>>();

/** The tree of a list, made once. */
export function resourceTree(resources: readonly Resource[]): Promise<ResourceTree> {
  const tree = trees.get(resources) ?? makeTree(resources);
  trees.set(resources, tree);
  return tree;
}

/** Nothing here holds the event loop for long, however many resources there are. The first of a URI counts. */
export async function makeTree(resources: readonly Resource[], slices = new TimeSlices()): Promise<ResourceTree> {
  const folders = new Folders();
  const byUri = new Map<string, Resource>();
  for (const resource of resources) {
    if (slices.over) {
      await slices.next();
    }
    if (!byUri.has(resource.uri)) {
      byUri.set(resource.uri, resource);
      folders.add(resource);
    }
  }
  const levels = new Map<Folder, Level>();
  for (const folder of folders.all()) {
    if (folder.folders.length + folder.resources.length > MAX_ROWS) {
      levels.set(folder, await longLevel(folder, slices));
    }
    if (slices.over) {
      await slices.next();
    }
  }
  return new SortedTree(folders, byUri, levels);
}

async function longLevel(folder: Folder, slices: TimeSlices): Promise<Level> {
  const rows: Keyed[] = [];
  for (const row of rowsOf(folder)) {
    rows.push(keyed(row));
    if (slices.over) {
      await slices.next();
    }
  }
  return new Level((await sortInSlices(rows, compareRows, slices)).map(({ row }) => row));
}

function rowsOf(folder: Folder): readonly Row[] {
  return [...folder.folders.map(({ chainEnd }) => chainEnd), ...folder.resources];
}

/** All folders by their prefixes. */
class Folders {
  readonly root = new Folder('', undefined, false);
  private readonly byPrefix = new Map([['', this.root]]);

  all(): Iterable<Folder> {
    return this.byPrefix.values();
  }

  get(prefix: string): Folder | undefined {
    return this.byPrefix.get(prefix);
  }

  /** The folder that a resource of the tree stands in. */
  of({ uri }: Resource): Folder {
    return this.byPrefix.get(uri.slice(0, cutUri(uri).folders.at(-1) ?? 0)) ?? this.root;
  }

  add(resource: Resource): void {
    const { folders: ends, hasOrigin } = cutUri(resource.uri);
    let depth = ends.length;
    let known: Folder | undefined;
    // Most have a neighbour, so that the innermost is there already.
    while (!known && depth > 0) {
      known = this.byPrefix.get(resource.uri.slice(0, ends[depth - 1]));
      depth -= known ? 0 : 1;
    }
    let folder = known ?? this.root;
    for (; depth < ends.length; depth += 1) {
      const inner = new Folder(resource.uri.slice(0, ends[depth]), folder, hasOrigin && depth === 0);
      folder.folders.push(inner);
      this.byPrefix.set(inner.prefix, inner);
      folder = inner;
    }
    folder.resources.push(resource);
    for (let above: Folder | undefined = folder; above; above = above.parent) {
      above.count += 1;
    }
  }
}

/** A folder's rows or a range of them; what a node's children are. */
interface Place {
  readonly folder: Folder;
  readonly level: Level;
  readonly stretch: Stretch;
}

class SortedTree implements ResourceTree {
  constructor(
    private readonly folders: Folders,
    private readonly byUri: ReadonlyMap<string, Resource>,
    /** Long ones were sorted in slices; the others are when they are opened. */
    private readonly levels: Map<Folder, Level>,
  ) {}

  children(id?: string): readonly ResourceNode[] {
    const place = id === undefined ? this.place(this.folders.root, []) : this.placeOf(id);
    if (!place) {
      return [];
    }
    const { folder, level, stretch } = place;
    const ranges = level.ranges(stretch);
    return ranges.length > 0
      ? ranges.map((range) => rangeNode({ folder, level, stretch: range }))
      : level.rows.slice(stretch.from, stretch.to).map(rowNode);
  }

  parentOf(id: string): ResourceNode | undefined {
    const place = this.placeOf(id);
    if (place && place.stretch.path.length > 0) {
      return this.nodeOfPlace(this.place(place.folder, place.stretch.path.slice(0, -1)));
    }
    const [, uri] = /^resource:(.*)$/s.exec(id) ?? [];
    const row = place?.folder ?? (uri === undefined ? undefined : this.byUri.get(uri));
    const folder = row && (row instanceof Folder ? row.chainStart.parent : this.folders.of(row));
    if (!folder) {
      return undefined;
    }
    const level = this.levelOf(folder);
    return this.nodeOfPlace({ folder, level, stretch: level.stretchOf(row) });
  }

  nodeOf(uri: string): ResourceNode | undefined {
    const resource = this.byUri.get(uri);
    return resource && rowNode(resource);
  }

  private placeOf(id: string): Place | undefined {
    const [, path, prefix] = /^(?:folder|range:([\d.]+)):(.*)$/s.exec(id) ?? [];
    const folder = prefix === undefined ? undefined : this.folders.get(prefix);
    return folder?.chainEnd === folder && folder ? this.place(folder, path?.split('.').map(Number) ?? []) : undefined;
  }

  private place(folder: Folder, path: readonly number[]): Place | undefined {
    const level = this.levelOf(folder);
    const stretch = level.stretch(path);
    return stretch && { folder, level, stretch };
  }

  private nodeOfPlace(place: Place | undefined): ResourceNode | undefined {
    if (!place) {
      return undefined;
    }
    if (place.stretch.path.length > 0) {
      return rangeNode(place);
    }
    return place.folder === this.folders.root ? undefined : rowNode(place.folder);
  }

  private levelOf(folder: Folder): Level {
    let level = this.levels.get(folder);
    if (!level) {
      level = new Level(
        rowsOf(folder)
          .map(keyed)
          .sort(compareRows)
          .map(({ row }) => row),
      );
      this.levels.set(folder, level);
    }
    return level;
  }
}

function rowNode(row: Row): ResourceNode {
  const id = rowId(row);
  const label = rowLabel(row);
  return row instanceof Folder
    ? { kind: 'folder', id, label, role: row.chainStart.isOrigin ? 'origin' : 'segment', count: row.count }
    : { kind: 'resource', id, label, resource: row };
}

/** Ranges keep their ids by their position, so that an open one stays open when rows move. */
function rangeNode({ folder, level, stretch }: Place): ResourceNode {
  const [first, last] = [level.rows[stretch.from], level.rows[stretch.to - 1]].map((row) => (row ? endLabel(row) : ''));
  return {
    kind: 'folder',
    id: `range:${stretch.path.join('.')}:${folder.prefix}`,
    label: `${first} … ${last}`,
    role: 'range',
    count: level.count(stretch),
  };
}

function endLabel(row: Row): string {
  const label = Array.from(rowLabel(row));
  return label.length > MAX_RANGE_LABEL ? `${label.slice(0, MAX_RANGE_LABEL - 1).join('')}…` : label.join('');
}
